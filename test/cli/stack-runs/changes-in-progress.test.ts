import { ChangesInProgress } from "../../../src/cli/stack-runs/changes-in-progress";

const start = (address: string) => ({ kind: "apply_start", address, action: "update" }) as const;
const end = (address: string) =>
  ({ kind: "apply_complete", address, action: "update", milliseconds: 1 }) as const;

describe("the message of a run after the first signal", () => {
  test("after the first signal, the message lists the addresses of the changes in progress", () => {
    const changes = new ChangesInProgress();
    for (const name of ["a", "b", "c", "d"]) changes.on(start(`acme_thing.${name}`));
    changes.on(end("acme_thing.a"));
    expect(changes.describe()).toBe(
      "Stopping after 3 changes in progress: acme_thing.b, acme_thing.c, acme_thing.d. Then the state is saved. A second signal exits immediately.",
    );
  });

  test("if no change has started, the message says that no change is in progress", () => {
    const changes = new ChangesInProgress();
    expect(changes.describe()).toBe(
      "Stopping after the requests in progress. No change is in progress. A second signal exits immediately.",
    );
  });

  test("if all started changes are finished, the message says that the state is saved next", () => {
    const changes = new ChangesInProgress();
    changes.on(start("acme_thing.a"));
    changes.on(end("acme_thing.a"));
    expect(changes.describe()).toBe(
      "Stopping after the requests in progress. Then the state is saved. A second signal exits immediately.",
    );
  });
});
