import { accessEntries, mergeAccess } from "../../../src/cli/document/access";
import { describePlan } from "../../../src/cli/document/describe";
import { htmlReport } from "../../../src/cli/reports/formats/html";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { addressesOf } from "../../../src/cli/reports/formats/markdown-text";
import { PLAIN } from "../../../src/cli/terminal/text";
import { renderAccess } from "../../../src/cli/views/access";
import { renderPlan } from "../../../src/cli/views/plan";
import { type AccessPlace, type ResourceChange, UNKNOWN } from "../../../src/engine";
import { createProvider, PROVIDER_SOURCE } from "../../../src/provider";
import { reportOf } from "../reports/support/runs";
import { change, plan } from "../support/models";

// The tests check that a review shows many equal changes as one entry. The entry names all objects, so that no change is
// hidden.

const TYPE = "steward_protected_environment";
const { attributes } = createProvider().schema.resources[TYPE]!;
const LEVELS = [{ user: null, group: null, access_level: 40, group_inheritance_type: 0 }];
const environment = (project: string): ResourceChange => ({
  ...change({
    action: "create",
    before: null,
    after: { id: UNKNOWN, project, name: "production", deploy_access_levels: LEVELS },
  }),
  ...{ type: TYPE, provider: PROVIDER_SOURCE, attributes },
  address: `${TYPE}.${project.split("/").at(-1)}-production`,
  container: { kind: "project", name: project, url: `https://git.example/${project}` },
});

const deploy = (project: string, gains: readonly string[], uncounted = 0): AccessPlace => {
  const holders = gains.map((name) => ({ kind: "user", name }));
  return {
    container: { kind: "project", name: project },
    target: { kind: "environment", name: "production" },
    abilities: [{ name: "deploy", before: [], after: holders, gains: holders, loses: [] }],
    rules: [],
    notCounted: Array.from({ length: uncounted }, () => ({
      what: "x@example.com",
      why: "is invited by e-mail",
    })),
  };
};
const access = (places: readonly AccessPlace[]) =>
  mergeAccess(accessEntries({ places, notCounted: [] }, undefined));

describe("access changes of many projects", () => {
  test("equal access changes of 412 projects become one entry with the number of projects", () => {
    const people = ["ada", "ben", "maya"];
    const many = Array.from({ length: 412 }, (_, at) => deploy(`acme/p${at}`, people));
    const lines = renderAccess(access([...many, deploy("acme/other", ["ada"])]), PLAIN);
    expect(lines.length).toBeLessThan(20);
    expect(lines.join("\n")).toContain(
      "  in 412 projects (loosens)\n    gains     environment production · deploy  ada, ben, maya\n    in acme/p0, acme/p1,",
    );
    expect(lines.at(-1)).toBe("Access: +1237 can deploy.");
  });

  test("if the access to one project can't be counted, the total counts only the other projects", () => {
    const lines = renderAccess(access([deploy("acme/a", ["ada"]), deploy("acme/b", ["x"], 1)]), PLAIN);
    expect(lines.at(-1)).toBe("Access: +1 can deploy; 1 place is not counted.");
  });
});

test("Steward prints 500 equal changes in at most 60 lines of text and 30 kB of Markdown", async () => {
  const changes = Array.from({ length: 500 }, (_, at) => environment(`acme/team-${at % 20}/service-${at}`));
  const places = changes.map(({ container }) => deploy(container!.name, ["ada", "ben"]));
  const report = await reportOf("plan", (view) => {
    view.stack(undefined, 1);
    view.plan(plan({ changes, access: { places, notCounted: [] } }));
  });
  const lines = [
    ...renderPlan(describePlan(plan({ changes })), PLAIN),
    ...renderAccess(access(places), PLAIN),
  ];
  expect(lines.length).toBeLessThanOrEqual(60);
  const markdown = markdownReport(report);
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(30_000);
  // The entry is expanded, because it loosens access. The list of the entry's objects is collapsed.
  expect(htmlReport(report)).toMatch(/ open>[\s\S]*<details class="list"><summary>500 objects<\/summary>/);
  expect(markdown).toMatch(/^### Access$[\s\S]*^### Changes$/m);
  const changed = markdown.slice(markdown.indexOf("### Changes"));
  expect(addressesIn(changed)).toEqual(changes.map(({ address }) => address));
  const paths = placesIn(changed);
  expect(paths.sort()).toEqual(changes.map(({ container }) => container!.name).sort());
});

/**
 * Returns the addresses in a comment. The comment writes the shared part of the addresses once, and then lists the
 * different parts.
 */
function addressesIn(markdown: string): string[] {
  const [, start, end, keys] = /`([^`]*)…([^`]*)`, where … is `([^`]*)`/.exec(markdown)!;
  return keys!.split(", ").map((key) => `${start}${key}${end}`);
}

/** Returns the places that a comment lists by group. */
const placesIn = (markdown: string): string[] =>
  [...markdown.matchAll(/^ *- `([^`]*\/)`: `([^`]*)`$/gm)].flatMap(([, group, names]) =>
    names!.split(", ").map((name) => `${group}${name}`),
  );

describe("many addresses in a comment", () => {
  const many = (of: (at: number) => string) => Array.from({ length: 400 }, (_, at) => of(at));
  const address = (key: string) => `steward_protected_environment.acme_environments_13CCC1EB["${key}"]`;
  test.each<[string, string[], string]>([
    [
      "contain the text around their keys only once",
      many((at) => address(`${at}:production`)),
      '["…:production"]',
    ],
    ["keep whole keys with the same beginning", many((at) => address(`${1000 + at}`)), '["…"]'],
    ["keep whole emoji", many((at) => address(`🚀${String.fromCodePoint(0x1f600 + at)}`)), '["🚀…"]'],
  ])("400 addresses in a comment %s", (_, addresses, ending) => {
    const text = addressesOf(addresses);
    expect(text).toContain(`${ending}\`, where … is`);
    expect(addressesIn(text)).toEqual(addresses);
    expect(text.length).toBeLessThan(4_000);
  });

  test.each<[string, string[]]>([
    ["a key is empty", ["", ...many((at) => `${at}`)].map(address)],
    ["a key contains a comma", many((at) => address(`${at}, ${at}`))],
    ["they are short", many((at) => address(`${at}`)).slice(0, 100)],
  ])("a comment contains the full addresses if %s", (_, addresses) => {
    expect(addressesOf(addresses)).toBe(`\`\`\`text\n${addresses.join("\n")}\n\`\`\``);
  });
});

describe("imported objects that a plan lists as one entry", () => {
  const INVITATION = "steward_project_invitation";
  const invitation = (at: number): ResourceChange => {
    const values = {
      id: `7:dev${at}@agency.example`,
      project: "acme/shop",
      email: `dev${at}@agency.example`,
      access_level: 30,
      invited_at: `2026-11-29T15:33:${10 + at}Z`,
    };
    return {
      ...change({ action: "no-op", before: values, after: values, importing: { id: values.id } }),
      type: INVITATION,
      provider: PROVIDER_SOURCE,
      attributes: createProvider().schema.resources[INVITATION]!.attributes,
      address: `${INVITATION}.dev${at}`,
      container: { kind: "project", name: "acme/shop" },
    };
  };
  const many = Array.from({ length: 40 }, (_, at) => invitation(at));

  test("if 40 imported invitations differ only in the computed `invited_at`, the plan prints one entry", () => {
    const text = renderPlan(describePlan(plan({ changes: many })), PLAIN).join("\n");
    expect(text).toContain("# 40 objects steward_project_invitation will be imported");
    expect(text).not.toContain("invited_at");
  });

  test("the entry for 40 imported invitations to one project names five of them and counts the other 35", () => {
    const web = many.map((one, at) => ({
      ...one,
      container: { kind: "project" as const, name: `acme/web-${at % 30}` },
    }));
    const lines = renderPlan(describePlan(plan({ changes: [...many, ...web] })), PLAIN);
    expect(lines.join("\n")).toContain(
      "acme/shop (dev0@agency.example, dev1@agency.example, dev2@agency.example, dev3@agency.example, dev4@agency.example and 35 more)",
    );
  });
});
