// Matchers for Jest, Vitest and whatever else has `expect.extend`. The entries `./testing/jest` and `./testing/vitest` add them.

import { type ExpectedCounts, grants, isInSync, plans } from "./expectations";
import type { Grant } from "./grants";

/** The matchers, for `expect.extend`. */
export const matchers = {
  toPlan: (received: unknown, counts: ExpectedCounts = {}) => plans(received, counts),
  toBeInSync: (received: unknown) => isInSync(received),
  toGrant: (received: unknown, grant: Grant) => grants(received, grant),
};

/** The matchers as methods of an expectation. Await each: a stack is planned for it. */
export interface StewardMatchers {
  /**
   * A test stack or a plan has exactly these numbers of objects to add, change, destroy, import and move. Those left out are 0.
   *
   * @example
   * await expect(stack).toPlan({ add: 2 });
   */
  toPlan(counts?: ExpectedCounts): Promise<void>;
  /**
   * Applying a test stack again would change nothing, and nobody changed on the service what it declares.
   *
   * @example
   * await expect(stack).toBeInSync();
   */
  toBeInSync(): Promise<void>;
  /**
   * A user has something once a test stack, or a plan of one, is applied; or has it on a service now. It fails,
   * also with `not`, if that can't be known.
   *
   * @example
   * await expect(stack).toGrant({ user: "maya", deploy: "production", project: "acme/web-shop" });
   */
  toGrant(grant: Grant): Promise<void>;
}
