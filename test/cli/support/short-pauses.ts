import { systemClock } from "../../../src/http/clock";

/** Shortens the pauses of clients, such as retry pauses, to a hundredth of the announced time. */
export function useShortPauses(): void {
  const { after } = systemClock;
  beforeEach(() => {
    systemClock.after = (milliseconds, callback) => after(milliseconds / 100, callback);
  });
  afterEach(() => {
    systemClock.after = after;
  });
}
