import { type Service, startService } from "cdktf-provider-steward/testing";
import { runs } from "../../support/capabilities";
import { EstateStack, numbers } from "./support";

// The one list without pages: however many rules there are, they are one request.

/** More than two pages of other lists. */
const RULES = runs(250, 1000);

export const resource = {
  steward_container_protection_rule: Object.fromEntries(
    numbers(RULES).map((index) => [
      `r${index}`,
      {
        project: "estate/shop",
        repository_path_pattern: `estate/shop/image-${index}`,
        minimum_access_level_for_push: "owner",
      },
    ]),
  ),
};

/** A service with a stack that declared all of them, for the tests of a file. */
export function useRules(): { service(): Service; stack(): EstateStack } {
  let service: Service;
  let stack: EstateStack;
  beforeAll(async () => {
    service = await startService({
      fixture: { groups: [{ path: "estate" }], projects: [{ path: "estate/shop" }] },
      recordRequests: true,
    });
    stack = new EstateStack(service);
    stack.declare(resource);
    await stack.apply();
  });
  afterAll(async () => {
    stack.remove();
    await service.close();
  });
  return { service: () => service, stack: () => stack };
}
