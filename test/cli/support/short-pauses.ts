import { systemClock } from "../../../src/http/clock";

/** Makes the pauses of clients, such as those before a request is sent again, take a hundredth of the time that they announce. */
export function useShortPauses(): void {
  const { after } = systemClock;
  beforeEach(() => {
    systemClock.after = (milliseconds, callback) => after(milliseconds / 100, callback);
  });
  afterEach(() => {
    systemClock.after = after;
  });
}
