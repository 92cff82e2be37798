import {
  AccessLevel,
  Fleet,
  type FleetConfig,
  ProjectInvitation,
  ProjectSettings,
} from "../../../src/constructs";
import { FleetPlace } from "../support/fleet-place";

// The state records to which fleet an object belongs. The tests check that Steward relies on this record, and not on names or
// on the selection of earlier runs.

const PRODUCTION = { production: { deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }] } };
const FLEET: FleetConfig = {
  projects: { group: "acme", topics: ["service"] },
  baseline: { inboundEnabled: true, protectedEnvironments: PRODUCTION },
};
const fleet =
  (id: string, config: Partial<FleetConfig> = {}) =>
  (stack: ConstructorParameters<typeof Fleet>[0]) => {
    new Fleet(stack, id, { ...FLEET, ...config });
  };

let place: FleetPlace;
beforeEach(async () => {
  place = await FleetPlace.open(["a", "b", "c", "d"]);
});
afterEach(() => place.close());

describe("a declaration outside of a fleet", () => {
  it("if a declaration outside of a fleet is removed, apply destroys its object", async () => {
    const invitation = { email: "ada@example.com", accessLevel: 40 as const };
    place.declare({
      estate: (stack) =>
        void new ProjectInvitation(stack, "invitations", { project: "acme/d", ...invitation }),
    });
    await place.apply();
    place.declare({
      estate: fleet("acme", { baseline: { invitations: { "bob@example.com": { accessLevel: 30 } } } }),
    });
    expect(await place.apply()).toContain("DELETE /projects/4/invitations/ada%40example%2Ecom");
  });

  it.each([
    ["a list of projects", { one: "acme/a" }],
    ["the projects of a group", { group: "acme", except: ["acme/b", "acme/d"] }],
  ])(
    "next to a fleet of %s, apply destroys an allowlist that was removed from a ProjectSettings",
    async (_, projects) => {
      const settings = { project: "acme/d", inboundEnabled: true };
      const declare = (allowlist?: string[]) =>
        place.declare({
          estate: (stack) => {
            fleet("acme", { projects, baseline: { allowlist: { targetProjects: ["acme/b"] } } })(stack);
            new ProjectSettings(stack, "own", {
              ...settings,
              ...(allowlist && { allowlist: { targetProjects: allowlist } }),
            });
          },
        });
      declare(["acme/c"]);
      await place.apply();
      declare();
      // The apply must send only this request: it must not look up a project named "undefined".
      expect(await place.apply()).toEqual(["DELETE /projects/4/job_token_scope/allowlist/3"]);
      const { code, text } = await place.run("plan", "--detailed-exitcode");
      expect(text).not.toContain("undefined");
      expect(code).toBe(0);
    },
  );
});

describe.each(["keep", "reset"] as const)("a renamed fleet with onLeave %s", (onLeave) => {
  // A reset leaves scopes unchanged, so only the environment is deleted.
  const left = onLeave === "keep" ? [] : ["DELETE /projects/4/protected_environments/production"];
  /**
   * Applies the fleet, makes a change in the app or on the service, and then applies this change with the given runs.
   * Returns the writes and the final state.
   */
  const play = async (one: FleetPlace, change: () => Promise<void>, runs: readonly (readonly string[])[]) => {
    const before = place;
    place = one;
    try {
      place.declare({ estate: fleet("acme", { onLeave }) });
      await place.apply();
      await change();
      const writes: string[] = [];
      for (const words of runs) writes.push(...(await place.apply(...words)));
      expect((await place.run("plan", "--detailed-exitcode")).code).toBe(0);
      return { writes: writes.sort(), held: place.held("estate") };
    } finally {
      place = before;
    }
  };
  type Played = Awaited<ReturnType<typeof play>>;
  /** The result of each change if a single run applies the change, by the title of the change. */
  const wholes = new Map<string, Played>();
  const both = async (
    title: string,
    change: () => Promise<void>,
    parts: readonly (readonly string[])[],
  ): Promise<[whole: Played, divided: Played]> => {
    if (!wholes.has(title)) {
      const one = await FleetPlace.open(["a", "b", "c", "d"]);
      try {
        wholes.set(title, await play(one, change, [[]]));
      } finally {
        await one.close();
      }
    }
    return [wholes.get(title)!, await play(place, change, [...parts, []])];
  };

  it.each([
    ["two projects first", [["--project", "acme/a", "--project", "acme/b"]]],
    ["the project that left first", [["--project", "acme/d"]]],
    ["waves of one project", [["--wave", "1"]]],
  ])(
    "if a project leaves a renamed fleet, several partial applies have the same result as one full apply: %s",
    async (_, parts) => {
      const [whole, divided] = await both(
        "a project leaves",
        async () => {
          await place.setTopics("d", []);
          place.declare({ estate: fleet("renamed", { onLeave }) });
        },
        parts,
      );
      expect(divided).toEqual(whole);
      expect(whole.writes).toEqual([...left].sort());
    },
  );

  it("if a fleet is renamed and loses a setting, partial applies end like one full apply", async () => {
    const [whole, divided] = await both("a setting goes", async () => {
      place.declare({ estate: fleet("renamed", { onLeave, baseline: { inboundEnabled: true } }) });
    }, [["--project", "acme/a"]]);
    expect(divided).toEqual(whole);
    expect(whole.writes).toHaveLength(onLeave === "keep" ? 0 : 4);
  });
});

describe("an object of a project that moves from one fleet to another fleet", () => {
  const topic = (one: string) => ({ projects: { group: "acme", topics: [one] } });
  const declareBoth = () =>
    place.declare({
      estate: (stack) => {
        fleet("first", topic("service"))(stack);
        fleet("second", { ...topic("tool"), onLeave: "reset" })(stack);
      },
    });
  const held = () => place.addresses("estate").filter((address) => address.includes("4:"));
  const ALLOWED = ["--allow-leaving", "1"];
  const IN_FIRST = ['protected_environment.first_environments["4:production"]'];
  const IN_SECOND = ['protected_environment.second_environments["4:production"]'];

  beforeEach(async () => {
    place.declare({ estate: fleet("first", topic("service")) });
    await place.apply();
    await place.setTopics("d", ["tool"]);
    declareBoth();
  });

  it("if a project moves to another fleet, its object moves to the new fleet's address in the state", async () => {
    const { text } = await place.run("plan", ...ALLOWED);
    expect(text).not.toContain("Objects will be removed from the state: ");
    expect(text).not.toMatch(/leaves them unchanged on the service: .*"4:production"/);
    expect([await place.apply(...ALLOWED), held()]).toEqual([[], IN_SECOND]);
  });

  it("if a project moves to a fleet outside of --target, apply fails and writes nothing", async () => {
    const { text: planned } = await place.run("plan", ...ALLOWED);
    const [left] = /\S+first_environments\S+"4:production"\]/.exec(planned)!;
    const sent = place.requestCount;
    const { code, text } = await place.run("apply", "--auto-approve", ...ALLOWED, "--target", left);
    expect({ code, writes: place.writesSince(sent), held: held() }).toEqual({
      code: 1,
      writes: [],
      held: IN_FIRST,
    });
    expect(text).toContain("--target leaves out");
    expect([await place.apply(...ALLOWED), held()]).toEqual([[], IN_SECOND]);
  });

  it("while the service can't list the new fleet's projects, the moved project's object stays at its old address", async () => {
    const topics = { method: "GET", route: "/groups/:id/projects", status: 500 } as const;
    place.place.service.faults.add({ ...topics, always: true, skip: 1 });
    await place.run("apply", "--auto-approve", ...ALLOWED);
    place.place.service.faults.clear();
    expect(held()).toEqual(IN_FIRST);
    expect([await place.apply(...ALLOWED), held()]).toEqual([[], IN_SECOND]);
  });
});

describe("a fleet that is no longer declared", () => {
  it.each(["keep", "reset"] as const)(
    "if a fleet with onLeave %s is no longer declared, apply treats all its projects as removed",
    async (onLeave) => {
      place.declare({ estate: fleet("acme", { onLeave }) });
      await place.apply();
      place.declare({ estate: () => undefined });
      expect(await place.apply()).toHaveLength(onLeave === "keep" ? 0 : 4);
      expect(place.addresses("estate")).toEqual([]);
    },
  );

  it("if a fleet is renamed and the service refuses to return a project, this project's objects stay in the state", async () => {
    place.declare({ estate: fleet("acme", { onLeave: "reset" }) });
    await place.apply();
    await place.setTopics("d", []);
    place.declare({ estate: fleet("renamed", { onLeave: "reset" }) });
    place.place.service.faults.add({ method: "GET", route: "/projects/:id", status: 403, always: true });
    const { code } = await place.run("apply", "--auto-approve");
    expect({ code, held: place.addresses("estate").filter((address) => address.includes("4:")) }).toEqual({
      code: 1,
      held: ['protected_environment.acme_environments["4:production"]'],
    });
  });
});

describe("a state of an older release", () => {
  it("the first apply with an old state adds each object's fleet to the state", async () => {
    place.declare({ estate: fleet("acme") });
    await place.apply();
    const recorded = place.held("estate");
    expect(recorded[0]!.fleet).toEqual({
      path: "estate/acme",
      part: "job-token-scope",
      on_leave: "keep",
      matched: ["topic service"],
    });
    place.forgetRecords("estate");
    expect((await place.run("plan", "--detailed-exitcode")).code).toBe(0);
    expect(await place.apply("--project", "acme/a")).toEqual([]);
    expect(place.held("estate")).toEqual(recorded);
  });

  it("if a fleet is renamed, partial applies move the objects of an old state to the new fleet's addresses", async () => {
    place.declare({ estate: fleet("acme") });
    await place.apply();
    place.forgetRecords("estate");
    await place.setTopics("d", []);
    place.declare({ estate: fleet("renamed") });
    for (const words of [["--project", "acme/d"], ["--project", "acme/a"], []])
      expect(await place.apply(...words)).toEqual([]);
    expect(place.addresses("estate").filter((address) => address.includes("acme"))).toEqual([]);
  });

  it("if apply can't match an old state's objects to a renamed fleet, apply fails and suggests state rm", async () => {
    place.declare({ estate: fleet("acme", { onLeave: "reset" }) });
    await place.apply();
    place.forgetRecords("estate");
    place.declare({ estate: fleet("renamed", { onLeave: "reset", baseline: { inboundEnabled: true } }) });
    const before = place.requestCount;
    const { code, text } = await place.run("apply", "--auto-approve");
    expect({ code, writes: place.writesSince(before) }).toEqual({ code: 1, writes: [] });
    expect(text.replace(/_[0-9A-F]{8}/g, "")).toContain(
      "steward state rm 'steward_protected_environment.acme_environments",
    );
    expect(text).toContain("destroy = true");
    place.declare({
      estate: (stack) => {
        fleet("renamed", { onLeave: "reset", baseline: { inboundEnabled: true } })(stack);
        const name = /acme_environments_[0-9A-F]{8}/.exec(text)![0];
        stack.addOverride("removed", [
          { from: `steward_protected_environment.${name}`, lifecycle: { destroy: true } },
        ]);
      },
    });
    expect(await place.apply()).toHaveLength(4);
  });
});

it("if a project's path is removed from a fleet's `projects`, apply removes the project's objects from the state", async () => {
  place.declare({ estate: fleet("acme", { projects: ["acme/a", "acme/b"] }) });
  await place.apply();
  expect(place.addresses("estate")).toContain('protected_environment.acme_environments["acme/b:production"]');
  place.declare({ estate: fleet("acme", { projects: ["acme/b"] }) });
  expect(await place.apply("--allow-leaving", "1")).toEqual([]);
  expect(place.addresses("estate")).toEqual([
    'job_token_scope.acme_job-token-scope["acme/b"]',
    'protected_environment.acme_environments["acme/b:production"]',
  ]);
});
