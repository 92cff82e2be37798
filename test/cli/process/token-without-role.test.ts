import { TOKENS, usePlace } from "../support/place";

const OUTSIDER = "outsider-token-1";
const PROJECTS = ["acme/docs", "acme/shop", "acme/tools"];

const place = usePlace("all", {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "devon", token: TOKENS.developer },
    { username: "oona", token: OUTSIDER },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
      ],
    },
  ],
  projects: [...PROJECTS, "oona/notes"].map((path) => ({
    path,
    ...(path === "oona/notes" && { members: [{ user: "oona", role: "maintainer" as const }] }),
  })),
});

const declare = (projects: readonly string[]) => ({
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}] },
  resource: {
    steward_job_token_scope: Object.fromEntries(
      projects.map((project, index) => [`p${index}`, { project, inbound_enabled: true }]),
    ),
  },
});

beforeAll(async () => {
  place.write("main.tf.json", declare(PROJECTS));
  expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
});

const COMMANDS = {
  plan: ["plan", "--config", "."],
  apply: ["apply", "--auto-approve", "--config", "."],
  drift: ["drift", "--config", "."],
  adopt: ["adopt", ...PROJECTS, "--out", "adopted"],
};
const errorsIn = (text: string) => text.split("Error: ").length - 1;
const told = (text: string) => text.replace(/[│\s]+/g, " ");

describe.each([
  ["that sees none of them", OUTSIDER, "oona", 404],
  ["whose role is too low in all of them", TOKENS.developer, "devon", 403],
])("a token %s", (_, token, user, status) => {
  test.each(Object.entries(COMMANDS))(
    "%s tells one error about the token, suggests no removal, and keeps the state",
    async (command, args) => {
      const before = place.read("terraform.tfstate");
      const reports = command === "adopt" ? [] : ["--report", "r.md", "--report", "r.json"];
      const { code, out, err } = await place.run([...args, ...reports], { STEWARD_TOKEN: token });
      expect(code).toBe(1);
      expect(errorsIn(err)).toBe(1);
      expect(told(err)).toMatch(/refuses all 3 (groups or )?projects of this run/);
      for (const part of [`user "${user}" (${status})`, PROJECTS.join(", ")])
        expect(told(err)).toContain(part);
      const written = reports.length === 0 ? [] : [place.read("r.md"), place.read("r.json")];
      for (const text of [out, err, ...written])
        expect(text).not.toMatch(/state rm|outsider-token|developer-token/);
      expect(
        written.every((text) => text.includes("token_without_role") || text.includes("The token's role")),
      ).toBe(true);
      expect(place.read("terraform.tfstate")).toBe(before);
    },
  );
});

test("a project that can be read leaves the errors of the others as they are", async () => {
  place.write("more/main.tf.json", declare([...PROJECTS, "oona/notes"]));
  place.write("more/terraform.tfstate", place.read("terraform.tfstate"));
  const { code, err } = await place.run(["plan", "--config", "more", "--state", "more/terraform.tfstate"], {
    STEWARD_TOKEN: OUTSIDER,
  });
  expect(code).toBe(1);
  expect(errorsIn(err)).toBe(3);
  expect(err).toContain("steward state rm");
});
