/** What a client measures its pauses by. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, after so many milliseconds; the returned function takes that back. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
