// Views and events as the service sends them, small enough to read.

export function view(part = {}) {
  const { round = {}, ...rest } = part;
  return {
    id: 'm1', room: 'KTRMSA', rules: { profile: 'classic', target: 121, carry: true, card_points: { A: 1, J: 1, '2C': 2, TD: 3 } },
    status: 'playing', version: 4, rated: false, seeded: false,
    seats: [
      { seat: 0, side: 0, player: { id: 'p0', name: 'Karim' }, bot: null, cards: 4, connected: true },
      { seat: 1, side: 1, player: { id: 'p1', name: 'Mona' }, bot: null, cards: 4, connected: true },
    ],
    you: { seat: 0, side: 0, hand: ['8H', '7D', 'QS', 'AC'], plays: [
      { card: '8H', captures: [
        { cards: ['3C', '5D', '8S'], groups: [['8S'], ['3C', '5D']], basra: 0 },
        { cards: ['8S'], groups: [['8S']], basra: 0 },
      ] },
      { card: '7D', captures: [{ cards: ['KC', '3C', '5D', '8S'], groups: [['KC', '3C', '5D', '8S']], basra: 0 }] },
      { card: 'QS', captures: [{ cards: [], groups: [], basra: 0 }] },
      { card: 'AC', captures: [{ cards: [], groups: [], basra: 0 }] },
    ] },
    round: {
      number: 1, dealer: 1, leader: 0, phase: 'play', deal: 1, deals: 6, undealt: 40, floor: ['KC', '3C', '5D', '8S'],
      piles: [0, 0], basras: [[], []], last_capture: null, majority: 30, carried: 0, ...round,
    },
    turn: 0, to_act: 0, deadline: '2026-01-01T00:02:01Z', now: '2026-01-01T00:00:00Z',
    scores: [0, 0], rounds: [], last_play: null, result: null, ...rest,
  };
}

export const OPENING = [
  { version: 1, type: 'match_started' },
  { version: 2, type: 'cut', round: 1, seat: 0, cut: 26, by: 'auto' },
  { version: 3, type: 'dealt', round: 1, deal: 1, hand: ['8H', '7D', 'QS', 'AC'], floor: ['KC', '3C', '5D', '8S'] },
];

export const played = (version, turn, seat, card, captured = [], basra = 0) => (
  { version, type: 'played', turn, seat, card, captured, groups: [captured], basra, by: 'player' });

const person = (id, name) => ({ id, name, guest: true, bot: false });
export const PEOPLE = [person('p0', 'Karim'), person('p1', 'Mona'), person('p2', 'Laila'), person('p3', 'Tarek')];

/** A room for `seats`; `taken` is who sits where: a number of PEOPLE, a bot's level, or null. */
export function room(taken, part = {}) {
  const seating = taken.map((who, seat) => ({
    seat, side: seat % 2, connected: who !== null,
    player: typeof who === 'number' ? PEOPLE[who] : null, bot: typeof who === 'string' ? who : null,
  }));
  return {
    code: 'KTRMSA', url: 'http://basra.test/r/KTRMSA', host: 'p0', name: null, seats: taken.length,
    rules: { profile: 'classic', target: 121 }, turn_seconds: 120, visibility: 'private', rated: false, seeded: false,
    spectators: false, status: 'waiting', seating, match_id: null, tally: [0, 0], rematch: [],
    fairness: { scheme: 'basra-deal/2', commitment: 'c0', client_commitments: taken.map(() => '') }, ...part,
  };
}

/** A match of four: Karim (me) with Laila against Mona and a bot. */
export function viewOfFour(part = {}) {
  const seat = (number, player, bot) => ({ seat: number, side: number % 2, player, bot, cards: 4, connected: true });
  return view({ seats: [seat(0, PEOPLE[0], null), seat(1, PEOPLE[1], null), seat(2, PEOPLE[2], null), seat(3, null, 'easy')], ...part });
}
