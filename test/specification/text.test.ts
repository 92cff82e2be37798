import { describeWhere } from "../support/capabilities";
import { nameOf, specifiedParts } from "./fields";
import { isBeside, SPECIFICATION, sections } from "./text";

/** For each section of the specification, a pattern of the routes that the section describes. */
const AREAS: Readonly<Record<string, RegExp>> = {
  "Job token scope settings": /\/job_token_scope$/,
  "Allowlist entry for a project (limited project record)": /\/job_token_scope\/allowlist$/,
  "Allowlist change result": /\/(groups_)?allowlist$/,
  "Protected environment": /\/protected_environments/,
  "Pages settings": /\/pages$/,
  "CI/CD YAML template": /\/platform_ci_ymls/,
  "Container repository protection rule": /\/registry\//,
  "Pending invitation (list element)": /\/invitations$/,
  "Invitation creation result": /\/invitations$/,
  "Enterprise user": /\/enterprise_users$/,
  "Job token scope (project)": /\/job_token_scope/,
  "Protected environments": /\/protected_environments/,
  Pages: /\/pages$/,
  "CI/CD YAML templates": /\/platform_ci_ymls/,
  "Container repository protection rules": /\/registry\//,
  "Invitations (groups and projects)": /\/invitations/,
  "Enterprise users": /\/enterprise_users$/,
};

/**
 * The values of `two_factor`. The specification quotes these values like names of parameters, so the values are left
 * out.
 */
const VALUES = ["enabled", "disabled"];

describeWhere(
  isBeside() ? SPECIFICATION : undefined,
  "../shared/spec",
  "the rows against the specification",
  () => {
    const parts = specifiedParts();

    test("the OpenAPI document contains every endpoint in the text of the specification", () => {
      const named = sections().flatMap(({ endpoints }) => endpoints);
      expect(named).toHaveLength(24);
      expect(named.filter((name) => !parts.some((part) => nameOf(part) === name))).toEqual([]);
    });

    test("every section of the specification with field names has a pattern of endpoints in this test", () => {
      const titles = sections().flatMap(({ title, names }) => (names.length > 0 ? [title] : []));
      expect(titles.sort()).toEqual(Object.keys(AREAS).sort());
    });

    test.each(Object.entries(AREAS))(
      "the OpenAPI document contains every field name in the specification's section %s",
      (title, area) => {
        const { names } = sections().find((section) => section.title === title)!;
        const rows = parts.filter(({ route }) => area.test(route));
        const fields = new Set(rows.map(({ field }) => field.split(".").at(-1)));
        const isMet = (name: string) =>
          fields.has(name) || (title === "Enterprise users" && VALUES.includes(name));
        expect(names.filter((name) => !isMet(name))).toEqual([]);
      },
    );
  },
);
