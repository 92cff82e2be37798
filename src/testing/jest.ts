// `cdktf-provider-steward/testing/jest`: adds the matchers to Jest's global `expect`. For `setupFilesAfterEnv`, or an import in a test.

import { matchers, type StewardMatchers } from "./expectations";

declare global {
  namespace jest {
    // A merged interface must have the same type parameters as Jest's interface.
    interface Matchers<R, T> extends StewardMatchers {}
  }
}

const { expect } = globalThis as { readonly expect?: { extend(all: object): void } };
if (expect === undefined)
  throw new Error(
    "There is no global `expect`. Import cdktf-provider-steward/testing/jest in a test, or name it in " +
      "`setupFilesAfterEnv` of Jest. Without globals: `expect.extend(matchers)` with the matchers of cdktf-provider-steward/testing.",
  );
expect.extend(matchers);
