// Stories about fleets that explain a rule. In each of these stories, an earlier version removed a declared object, or
// its partial runs ended differently from one run.
import type { DeclaredFleet, FleetNeighbour, FleetRound, FleetStack } from "./fleet-round";
import type { Rules } from "./rules";

const ALL: FleetRound["topics"] = {
  web: ["service"],
  api: ["service"],
  docs: ["service"],
  tools: ["service"],
};
const acme = (more: Partial<DeclaredFleet> = {}): DeclaredFleet => ({
  ...{ id: "acme", topic: "service", onLeave: "keep", parts: ["scope", "production"] },
  ...more,
});
const stack = (fleets: readonly DeclaredFleet[], others: readonly FleetNeighbour[] = []): FleetStack => ({
  fleets,
  others,
});
const told = (stacks: string, rounds: readonly FleetRound[]): string =>
  [`stacks ${stacks}`, ...rounds.map((round) => `the fleets are ${JSON.stringify(round)}`)].join("\n");
const round = (
  stacks: readonly FleetStack[],
  runs: FleetRound["runs"] = [],
  topics: FleetRound["topics"] = {},
): FleetRound => ({ stacks, topics, runs });
const BEGIN = round([stack([acme()])], [], ALL);
const moving = (topics: FleetRound["topics"], fleets: readonly [DeclaredFleet, DeclaredFleet]) =>
  told("a b", [
    round(
      fleets.map((fleet) => stack([fleet])),
      [],
      ALL,
    ),
    round(
      fleets.map((fleet) => stack([fleet])),
      [{ stacks: ["b"] }],
      topics,
    ),
  ]);

const readers = (who: string, runs: FleetRound["runs"]): Rules => ({
  [`${who} take no object of that run for somebody else's`]: told("a", [
    round([stack([acme({ parts: ["production", "staging", "invitation"] })])], runs, ALL),
  ]),
});

/** Manual changes for a run: after each of its requests, a person adds or removes an entry. */
const TOGGLES = Array.from(
  { length: 12 },
  (_, at) => `after ${at + 1} ${at % 2 === 0 ? "add" : "delete"} entry runner`,
).join(", ");

export const FLEETS: Rules = {
  "a project that left a renamed fleet is kept after partial runs": told("a", [
    BEGIN,
    round([stack([acme({ id: "renamed" })])], [{ projects: ["web", "api"] }], { tools: [] }),
  ]),
  "a project that left a renamed fleet is kept after waves": told("a", [
    BEGIN,
    round([stack([acme({ id: "renamed" })])], [{ wave: 1 }], { tools: [] }),
  ]),
  "a part that is dropped together with a rename is kept after a partial run": told("a", [
    BEGIN,
    round([stack([acme({ id: "renamed", parts: ["scope"] })])], [{ projects: ["web"] }]),
  ]),
  "a fleet that is removed is kept by the state of an older release too": told("a", [
    BEGIN,
    { ...round([stack([])]), isOld: true },
  ]),
  "a fleet of two that is removed is kept by the state of an older release too": told("a", [
    round(
      [stack([acme({ parts: ["staging"] }), acme({ id: "estate", topic: "tool", parts: ["invitation"] })])],
      [],
      {
        ...ALL,
        web: ["service", "tool"],
      },
    ),
    { ...round([stack([acme({ parts: ["staging"] })])]), isOld: true },
  ]),
  "a fleet that moves to another stack is refused by plan and apply": told("a b", [
    round([stack([acme()]), stack([])], [], ALL),
    round([stack([]), stack([acme()])]),
  ]),
  "a list that goes to another project keeps the entry of a declaration outside of the target": told("a", [
    round([stack([], [{ kind: "list", name: "one", at: "tool" }])], [], {
      web: ["tool"],
      docs: ["tool"],
      tools: ["tool"],
    }),
    round(
      [
        stack(
          [],
          [
            { kind: "list", name: "one", at: "docs" },
            { kind: "entry", name: "web_environments_0B1C2D3E", at: "tool" },
          ],
        ),
      ],
      [{ projects: [] }, { target: 1 }],
    ),
  ]),
  "a list that goes to another project waits until another stack has an entry of it": told("a b", [
    round([stack([], [{ kind: "list", name: "one", at: "web" }]), stack([])], [], {
      ...ALL,
      tools: ["tool"],
    }),
    round(
      [
        stack([], [{ kind: "list", name: "one", at: "docs" }]),
        stack([], [{ kind: "entry", name: "one", at: "web" }]),
      ],
      [{ stacks: ["a"] }],
    ),
  ]),
  "a list that another stack takes over leaves its state in the same way after several runs": told("a b", [
    round([stack([], [{ kind: "list", name: "one", at: "web" }]), stack([])]),
    round(
      [stack([]), stack([], [{ kind: "entry", name: "one", at: "tool" }])],
      [{ projects: [] }, { projects: [] }],
      { web: ["tool"] },
    ),
  ]),
  "a renamed fleet decides about what left it where the state of an older release records nothing": told(
    "a",
    [
      round([stack([acme({ parts: ["invitation"] })])], [], { docs: ["service"], tools: ["service"] }),
      {
        ...round(
          [stack([acme({ id: "renamed", onLeave: "reset", parts: ["invitation"] })])],
          [{ projects: [] }],
          {
            docs: [],
          },
        ),
        isOld: true,
      },
    ],
  ),
  "a fleet that no run has applied keeps no objects of a fleet that resets them": told("a b", [
    round([stack([acme({ onLeave: "reset" })]), stack([])], [], ALL),
    round([stack([]), stack([acme()])]),
    round([stack([]), stack([])]),
  ]),
  "a project that goes to the fleet of another stack is not reset": moving({ tools: ["tool"] }, [
    acme({ onLeave: "reset" }),
    acme({ id: "estate", topic: "tool", onLeave: "reset" }),
  ]),
  "a project that goes to the fleet of a stack before it is not reset": moving({ tools: ["tool"] }, [
    acme({ id: "estate", topic: "tool", onLeave: "reset" }),
    acme({ onLeave: "reset" }),
  ]),
  "single entries become the list of another stack, over a list of the service": told("a b", [
    round(
      [
        stack(
          [],
          [
            { kind: "entry", name: "one", at: "web" },
            { kind: "entry", name: "two", at: "api" },
          ],
        ),
        stack([]),
      ],
      [],
      ALL,
    ),
    round([stack([]), stack([], [{ kind: "list", name: "one", at: "service" }])]),
  ]),
  "an object that two stacks declare for the first time is refused before the first write": told("a b", [
    round([stack([acme()]), stack([acme({ id: "estate" })])], [], ALL),
  ]),
  "a wave comes after the changes that it needs": told("a", [
    round(
      [
        stack(
          [],
          [
            { kind: "review", name: "one", at: "web" },
            { kind: "entry", name: "two", at: "api", after: "one" },
          ],
        ),
      ],
      [{ wave: 1 }],
      ALL,
    ),
  ]),
  "an object whose declaration goes to another project is replaced by a run over both": told("a", [
    round([stack([], [{ kind: "review", name: "one", at: "api" }])]),
    round(
      [stack([], [{ kind: "review", name: "one", at: "tools" }])],
      [{ projects: ["tools"] }, { projects: ["api"] }],
    ),
  ]),
  "an object whose declaration goes to another project is replaced by one shard": told("a", [
    round([stack([], [{ kind: "review", name: "one", at: "api" }])]),
    round(
      [stack([], [{ kind: "review", name: "one", at: "tools" }])],
      [{ shard: [1, 2] }, { shard: [2, 2] }],
    ),
  ]),
  "the list of a project next to a fleet is reset when its declaration is removed": told("a", [
    round([stack([acme()], [{ kind: "entry", name: "web_allowlist_0B1C2D3E", at: "runner" }])], [], ALL),
    round([stack([acme()])], [{ projects: ["runner"] }]),
  ]),
  "an invitation that is removed with the addition of a fleet's invitations is revoked": told("a", [
    round([stack([], [{ kind: "invitation", name: "invitations", at: "web" }])], [], ALL),
    round([stack([acme({ parts: ["invitation"] })])]),
  ]),
  "a wave comes after the changes that its references need": told("a", [
    round(
      [
        stack(
          [],
          [
            { kind: "review", name: "one", at: "tools" },
            { kind: "entry", name: "two", at: "api", refersTo: "one" },
          ],
        ),
      ],
      [{ wave: 1 }],
      ALL,
    ),
  ]),
  "a project that is removed from an array of paths leaves the fleet": told("a", [
    round([stack([acme({ paths: ["web", "tools"] })])], [], ALL),
    round([stack([acme({ paths: ["web"] })])], [{ projects: ["web"] }]),
  ]),
  "a delete next to an object that moved into its resource waits for no cycle": told("a", [
    round(
      [
        stack(
          [],
          [
            { kind: "review", name: "one", at: "tool" },
            { kind: "review", name: "two", at: "service", after: "one" },
          ],
        ),
      ],
      [],
      { api: ["tool"], tools: ["service"] },
    ),
    round([stack([], [{ kind: "review", name: "two", at: "service" }])], [], { api: ["service"], tools: [] }),
  ]),
  "the record of a resource without a fleet survives partial runs": told("a", [
    round(
      [
        stack(
          [acme({ parts: ["staging"], paths: ["docs"] })],
          [{ kind: "review", name: "one", at: "service" }],
        ),
      ],
      [],
      ALL,
    ),
    round(
      [stack([acme({ parts: ["staging"], paths: ["docs"] })], [{ kind: "review", name: "two", at: "docs" }])],
      [{ wave: 1 }],
      { api: [] },
    ),
  ]),
  "a target is refused if it only forgets an object that another fleet declares": told("a", [
    round([stack([acme({ id: "estate", parts: ["invitation"] })])], [], { api: ["service"] }),
    round(
      [stack([acme({ topic: "tool", parts: ["invitation"] }), acme({ id: "estate", parts: [] })])],
      [{ target: 1, readAfter: 679 }],
      { api: ["tool"] },
    ),
  ]),
  "an object that another fleet declares is moved, and not forgotten, if its own fleet is empty": told("a", [
    round([stack([acme({ id: "estate", parts: ["staging"] })])], [], ALL),
    round(
      [
        stack([
          acme({ topic: "tool", onLeave: "reset", parts: ["staging"] }),
          acme({ id: "estate", parts: ["staging"] }),
        ]),
      ],
      [{ projects: ["api"] }, { target: 0 }],
      { api: ["tool"] },
    ),
  ]),
  "a list that changes in each read is a separate error": `pages of 1; declare one entry; apply; plan: ${TOGGLES}`,
  ...readers("a plan and drift next to an apply", [{ readAfter: 400 }]),
  ...readers("a plan and drift after a killed apply", [{ crashAt: 320, readAfter: 4000 }]),
};
