import { Fleet, type FleetConfig, ProjectSettings } from "../../../src/constructs";
import { FleetPlace, type Stacks } from "../support/fleet-place";

// An earlier version silently ignored each of these mistakes. The tests check the message and the exit code of each mistake.
// The tests of inputs that need files, Terraform or a pipeline are selectors-of-files, fleet.long, clones.long and
// init-from.

const FLEET: FleetConfig = {
  projects: { group: "acme", topics: ["service"] },
  baseline: { inboundEnabled: true },
};
const RESET = { inboundEnabled: false };
const fleet = (config: Partial<FleetConfig> = {}): Stacks => ({
  estate: (stack) => {
    new Fleet(stack, "acme", { ...FLEET, ...config });
  },
});
const layer = (where: string, rest: object = {}) => fleet({ layers: [{ where, settings: RESET, ...rest }] });
const selecting = (projects: object) => fleet({ projects: { group: "acme", ...projects } });
const DROP = fleet({
  layers: [{ where: "acme/shop", settings: { protectedEnvironments: { prodution: Fleet.unmanaged } } }],
});

interface Row {
  readonly app: Stacks;
  readonly words: readonly string[];
  readonly code: number;
  /** A part of the output, as one line. This part begins with the severity. */
  readonly message: string;
  /** Whether the run still lists the changes of the other projects. */
  readonly plans?: boolean;
}

const ROWS: Readonly<Record<string, Row>> = {
  "a mistyped layer": {
    app: layer("acme/shpo"),
    words: ["plan"],
    code: 1,
    message:
      'The layer "acme/shpo" of the fleet estate/acme applies to no project of the fleet. Did you mean "acme/shop"?',
    plans: true,
  },
  "a mistyped layer, in a run over one project": {
    app: layer("acme/shpo"),
    words: ["plan", "--project", "acme/cart"],
    code: 1,
    message: 'Did you mean "acme/shop"?',
    plans: true,
  },
  "a mistyped layer, in a run over one shard": {
    app: layer("acme/shpo"),
    words: ["plan", "--shard", "1/2"],
    code: 1,
    message: 'Did you mean "acme/shop"?',
    plans: true,
  },
  "a layer of a project of another shard": {
    app: layer("acme/cart"),
    words: ["plan", "--shard", "2/2"],
    code: 0,
    message: "Plan: 1 to add",
  },
  "a layer for later": {
    app: layer("acme/later", { allowEmpty: true }),
    words: ["plan"],
    code: 0,
    message: "Plan: 2 to add",
  },
  "a mistyped topic": {
    app: selecting({ topics: ["service", "servce"] }),
    words: ["plan"],
    code: 1,
    message:
      'No project in the group acme has the topic "servce", which the fleet estate/acme selects. Did you mean "service"?',
    plans: true,
  },
  "a mistyped path of except": {
    app: selecting({ except: ["acme/crat"] }),
    words: ["plan"],
    code: 1,
    message:
      'The fleet estate/acme leaves out "acme/crat", and no project in the group acme has such a path. Did you mean "acme/cart"?',
    plans: true,
  },
  "a pattern of except": {
    app: selecting({ except: ["acme/sandbox/*"] }),
    words: ["plan"],
    code: 0,
    message: "Warning: A selector of a fleet matches no project [selector_unmatched]",
    plans: true,
  },
  "a dropped setting that nothing declares": {
    app: DROP,
    words: ["plan"],
    code: 0,
    message: "drops protectedEnvironments.prodution, which no layer above it declares, so it drops nothing.",
    plans: true,
  },
  "--project with a mistyped pattern": {
    app: fleet(),
    words: ["plan", "--project", "acme/shpo*"],
    code: 1,
    message:
      'The service has no path that matches "acme/shpo*". Correct the path, or remove it. Did you mean "acme/shop*"?',
  },
  "--project with a mistyped path next to another one": {
    app: fleet(),
    words: ["plan", "--project", "acme/shpo", "--project", "acme/cart"],
    code: 1,
    message: 'Did you mean "acme/shop"?',
    plans: true,
  },
  "--stack with a mistyped name": {
    app: fleet(),
    words: ["plan", "--stack", "estaet"],
    code: 1,
    message: 'The app has no stack "estaet". Did you mean "estate"?',
  },
  "--stack with a mistyped name next to another one": {
    app: fleet(),
    words: ["plan", "--stack", "estaet", "--stack", "estate"],
    code: 1,
    message: 'The app has no stack "estaet". Did you mean "estate"?',
    plans: true,
  },
  "a saved plan of a mistyped stack and another one": {
    app: fleet(),
    words: ["plan", "--stack", "estaet", "--stack", "estate", "--out", "estate.tfplan"],
    code: 1,
    message: 'The app has no stack "estaet". Did you mean "estate"?',
  },
  "an apply of a mistyped stack and another one": {
    app: fleet(),
    words: ["apply", "--stack", "estaet", "--stack", "estate", "--auto-approve"],
    code: 1,
    message: 'The app has no stack "estaet". Did you mean "estate"?',
  },
  "--target with a mistyped address": {
    app: {
      estate: (stack) =>
        void new ProjectSettings(stack, "shop", { project: "acme/shop", inboundEnabled: true }),
    },
    words: ["plan", "--target", "steward_job_token_scpoe.shop"],
    code: 1,
    message: "Unknown target [unknown_target]",
  },
  "a project on its own allowlist": {
    app: {
      estate: (stack) =>
        void new ProjectSettings(stack, "shop", {
          project: "acme/shop",
          allowlist: { targetProjects: ["acme/shop"] },
        }),
    },
    words: ["plan"],
    code: 1,
    message: "A project is always on its own allowlist. Remove it from the set.",
  },
  "a project of a fleet on its own allowlist": {
    app: fleet({ baseline: { allowlist: { targetProjects: ["acme/shop"] } } }),
    words: ["plan"],
    code: 0,
    message: "Plan: 2 to add",
  },
};

let place: FleetPlace;
beforeAll(async () => {
  place = await FleetPlace.open(["shop", "cart"]);
});
afterAll(() => place.close());

test.each(Object.entries(ROWS))(
  "for %s, the command prints the message and exits with the code in this test's table",
  async (_, { app, words, code, message, plans = false }) => {
    place.declare(app);
    const result = await place.run(...words, "--no-color");
    const text = result.text.replaceAll(/\s*\n│? */g, " ");
    expect(text).toContain(message);
    expect(result.code).toBe(code);
    if (plans) expect(text).toMatch(/Plan: [12] to add/);
  },
);

test("if one of two --stack names is mistyped, drift still checks the other stack", async () => {
  place.declare(fleet());
  await place.apply();
  const { service } = place.place;
  await place.place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: false }, service.adminToken);
  const { code, text } = await place.run("drift", "--stack", "estaet", "estate");
  expect(text).toContain('The app has no stack "estaet". Did you mean "estate"?');
  expect(text).toContain("inbound_enabled");
  expect(code).toBe(1);
});

test("with a wrong token, plan reports one error and sends at most six requests", async () => {
  place.declare(fleet());
  const before = place.requestCount;
  const { code, err } = await place.place.run(["plan", "--no-color"], { STEWARD_TOKEN: "wrong" });
  expect(err.match(/\[unauthorized\]/g)).toHaveLength(1);
  expect(code).toBe(1);
  expect(place.requestCount - before).toBeLessThanOrEqual(6);
});

test("plan prints the project api-2 before the project api-10", async () => {
  const names = ["api-10", "api-2", "api"];
  const ordered = await FleetPlace.open(names);
  try {
    ordered.declare({
      estate: (stack) => {
        for (const name of names)
          new ProjectSettings(stack, name, { project: `acme/${name}`, inboundEnabled: true });
      },
    });
    const { text } = await ordered.run("plan", "--no-color");
    const paths = [...text.matchAll(/# \(project acme\/(api\S*)\)/g)].map(([, name]) => name);
    expect(paths).toEqual(["api", "api-2", "api-10"]);
  } finally {
    await ordered.close();
  }
});
