// Where flights start and end that are not cards: seats, piles, the pack, the whole floor.

const CARD = { width: 40, height: 56 }; // of a card that lies on a pile or comes from a seat

/** Give the rectangles by name; `seatNode(seat)` is where the cards of a seat are. */
export function rectsOf({ node, banner, floor, seatNode }) {
  const cardlike = (at) => {
    const box = at && at.getBoundingClientRect();
    return box && { left: box.left + (box.width - CARD.width) / 2, top: box.top, ...CARD };
  };
  return {
    seat: (seat) => cardlike(seatNode(seat)),
    pile: (seat) => cardlike(node.querySelector(`[data-testid=pile][data-side="${seat % 2}"]`)),
    pack: () => cardlike(banner),
    floor: () => {
      const { left, top, width, height } = floor.getBoundingClientRect();
      return { left, top, width, height };
    },
  };
}
