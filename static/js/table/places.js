// Where the seats are around the table, seen from one of them. Play goes anticlockwise: the next seat is on the right.

const PLACES = { 2: ['near', 'across'], 4: ['near', 'right', 'across', 'left'] };

/** near, right, across or left: where a seat is, seen from another. */
export const placeAt = (count, from, seat) => PLACES[count][(seat - from + count) % count];

/** The other seats from left to right as they sit. */
export const othersInOrder = (count, from) => (
  Array.from({ length: count - 1 }, (_, index) => (from + count - 1 - index) % count));
