import { errorsPage } from "../../../scripts/generate/errors-page";
import { referencePages } from "../../../scripts/generate/reference-pages";
import { CODES } from "../../../src/diagnostics";
import { NO_LONGER_RAISED } from "../../../src/diagnostics/codes";
import type { ResourceDefinition } from "../../../src/framework/definition/definition";
import { createProvider } from "../../../src/provider";
import { jobTokenScope } from "../../../src/provider/resources/job-token-scope";
import { protectedEnvironment } from "../../../src/provider/resources/protected-environment";
import { optional, required } from "../../../src/schema";

it("the page of errors names every code of the registry once, and no other", async () => {
  const text = (await errorsPage().generate()).get("docs/errors.md")!;
  const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(named.sort()).toEqual([...Object.keys(CODES), ...Object.keys(NO_LONGER_RAISED)].sort());
});

const pageOf = async (resource: ResourceDefinition) =>
  (await referencePages(createProvider([resource], [])).generate()).get(
    `docs/reference/steward_${resource.type}.md`,
  )!;

const rowOf = (page: string, name: string) =>
  page.split("\n").find((line) => line.startsWith(`| \`${name}\``));

/** The job token scope as if it had another attribute too. */
const scopeWith = (attributes: ResourceDefinition["attributes"]): ResourceDefinition => ({
  ...(jobTokenScope as ResourceDefinition),
  attributes: { ...jobTokenScope.attributes, ...attributes },
});

describe("the page of a resource", () => {
  it("shows a declaration, the attributes with what leaving them out means, and how to import", async () => {
    const text = await pageOf(jobTokenScope as ResourceDefinition);
    expect(text).toContain('import { JobTokenScope } from "cdktf-provider-steward";');
    expect(text).toContain(
      'new JobTokenScope(this, "web-shop", {\n  project: "acme/web-shop",\n  inboundEnabled: true,\n});',
    );
    expect(rowOf(text, "project")).toContain("| string | required, replaces |");
    expect(rowOf(text, "inbound_enabled")).toContain("| bool | optional, computed |");
    expect(rowOf(text, "outbound_enabled")).toContain("**Deprecated:** the service removes this setting");
    expect(text).toContain("steward import steward_job_token_scope.web-shop 42\n");
  });

  it("the page of a resource has a table for the elements of a nested attribute", async () => {
    const text = await pageOf(protectedEnvironment as ResourceDefinition);
    const [, elements] = text.split("### Elements of `approval_rules`");
    expect(rowOf(elements!, "required_approvals")).toContain("| number | optional | `1` |");
  });

  it("keeps a description with bars and line breaks in its cell", async () => {
    const text = await pageOf(
      scopeWith({ odd: optional.string({ description: "One of `a|b`,\nor none." }) }),
    );
    expect(rowOf(text, "odd")).toBe("| `odd` | string | optional |  | One of `a\\|b`, or none. |");
  });

  it("no page is made without an example", async () => {
    await expect(pageOf({ ...scopeWith({}), type: "unheard_of" })).rejects.toThrow(
      "src/provider/resources/unheard-of.sample.ts is missing: ",
    );
  });

  it("no page is made with an example that the provider refuses", async () => {
    const withMore = scopeWith({ purpose: required.string({ description: "What for." }) });
    await expect(pageOf(withMore)).rejects.toThrow(/job_token_scope is refused by the provider.*purpose/s);
  });
});
