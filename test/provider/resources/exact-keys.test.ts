import { Host } from "../support/host";
import { PROJECT, useWorld } from "../support/world";

// Tests which keys the platform compares without regard to case: usernames, and the paths of projects and groups. The
// platform compares all other keys with regard to case.

const world = useWorld();
const host = (type: string) => new Host(world(), `steward_${type}`);

test("usernames and paths that differ only in capitals count as equal", async () => {
  const environment = host("protected_environment");
  const declared = (project: string, user: string, group: string) => ({
    project,
    name: "production",
    deploy_access_levels: [{ user }, { group }],
  });
  const state = await environment.bring(undefined, declared("acme/web", "devon", "acme/approvers"));
  expect(await environment.drift(state, declared("Acme/WEB", "Devon", "ACME/Approvers"))).toEqual([]);
  // The last apply may have used another spelling. Steward also compares this spelling with the declared spelling.
  const spelled = await environment.bring(state, declared("Acme/WEB", "Devon", "ACME/Approvers"));
  expect(await environment.drift(spelled, declared("Acme/WEB", "Devon", "ACME/Approvers"))).toEqual([]);
});

test.each([
  [
    "names of environments",
    "protected_environment",
    (name: string) => ({ project: "acme/web", name, deploy_access_levels: [{ access_level: 40 }] }),
    ["production", "Production"],
  ],
  [
    "patterns of container rules",
    "container_protection_rule",
    (repository_path_pattern: string) => ({
      project: "acme/web",
      repository_path_pattern,
      minimum_access_level_for_push: "owner",
    }),
    ["acme/web/app*", "acme/web/APP*"],
  ],
  [
    "addresses of invitations",
    "project_invitation",
    (email: string) => ({ project: "acme/web", email, access_level: 30 }),
    ["dev@example.com", "Dev@example.com"],
  ],
] as const)("%s are case-sensitive: two spellings are two objects", async (_, type, declared, spellings) => {
  const states = [];
  for (const spelling of spellings) states.push(await host(type).bring(undefined, declared(spelling)));
  expect(new Set(states.map(({ attributes }) => attributes["id"])).size).toBe(2);
  for (const [index, spelling] of spellings.entries())
    expect(await host(type).drift(states[index]!, declared(spelling))).toEqual([]);
  const { objects } = await host(type)
    .connect()
    .listResource({ type: `steward_${type}`, within: String(PROJECT.web) });
  expect(objects).toHaveLength(2);
  expect((await host(type).destroy(states[0]!)).diagnostics).toEqual([]);
  expect(await host(type).drift(states[1]!, declared(spellings[1]))).toEqual([]);
});
