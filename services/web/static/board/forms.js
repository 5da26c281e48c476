// Forms: what the things of a board look like; as in replays/drawing/outlines.py.

/** The size of the letters on a form, as a part of the form's `size`, by their number. */
export const MARK_SIZES = [1, 1, 0.84, 0.62];

/** Each form is one path around (0, 0), 10 up and 10 down; and where on it something is written. */
export const OUTLINES = {
  works: {
    path: "M-9.5 9.5V-9H-5.5L-5 -1.5L0.5 -5.5V-1.5L6 -5.5V-1.5H9.5V9.5Z",
    down: 4.1, size: 10.5, hollow: false,
  },
  hall: {
    path: "M0 -10L10 -3.8V-1.2H8.6V6.8H10V9.8H-10V6.8H-8.6V-1.2H-10V-3.8Z",
    down: 3.2, size: 10.5, hollow: false,
  },
  fort: {
    path: "M-9.6 -9.5H-5.6V-6.4H-2V-9.5H2V-6.4H5.6V-9.5H9.6V-1.6L7.8 0.6V9.5H-7.8V0.6L-9.6 -1.6Z",
    down: 2.4, size: 11, hollow: false,
  },
  person: {
    path: "M0 -10A4 4 0 0 1 3.5 -4.1C7.4 -3.4 10 -1 10 1C10 2.8 8 3.2 6 2.6C6.6 5 8.1 7.4 8.8 9.8H-8.8C-8.1 7.4 -6.6 5 -6 2.6C-8 3.2 -10 2.8 -10 1C-10 -1 -7.4 -3.4 -3.5 -4.1A4 4 0 0 1 0 -10Z",
    down: 3.6, size: 9, hollow: false,
  },
  ship: {
    path: "M0 -10.5C4.4 -7 5.8 -3 5.8 0.8L10 6V9.8L5 7.6H-5L-10 9.8V6L-5.8 0.8C-5.8 -3 -4.4 -7 0 -10.5Z",
    down: 2, size: 9.5, hollow: false,
  },
  ring: {
    path: "M-9.6 0A9.6 9.6 0 1 1 9.6 0A9.6 9.6 0 1 1 -9.6 0ZM-6.2 0A6.2 6.2 0 1 0 6.2 0A6.2 6.2 0 1 0 -6.2 0Z",
    down: 0, size: 8, hollow: true,
  },
  disc: {
    path: "M-9.6 0A9.6 9.6 0 1 1 9.6 0A9.6 9.6 0 1 1 -9.6 0Z",
    down: 0, size: 10, hollow: false,
  },
  cross: {
    path: "M-9.5 -6L-6 -9.5L0 -3.5L6 -9.5L9.5 -6L3.5 0L9.5 6L6 9.5L0 3.5L-6 9.5L-9.5 6L-3.5 0Z",
    down: 0, size: 9, hollow: false,
  },
};
