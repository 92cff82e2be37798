import { createProvider } from "../../src/provider";
import { configurationOf, type ValueObject } from "../../src/schema";

const { resources } = createProvider().schema;

/** Returns the configuration derived from a state. Attributes without a value are left out, also in elements. */
const written = (type: string, state: ValueObject): unknown =>
  JSON.parse(JSON.stringify(configurationOf(resources[type]!.attributes, state)), (_name, value: unknown) =>
    value === null ? undefined : value,
  );

describe("the configuration of a state", () => {
  test("a configuration that is generated from a state omits the id, and computed and deprecated attributes", () => {
    const state = { id: "1", project: "acme/web", inbound_enabled: false, outbound_enabled: true };
    expect(written("steward_job_token_scope", state)).toEqual({
      project: "acme/web",
      inbound_enabled: false,
    });
  });

  test("a configuration that is generated from a state omits default values that a plan adds, also in elements of sets", () => {
    const element = { user: null, group: null, access_level: 40, group_inheritance_type: 0 };
    const state = {
      id: "1:production",
      project: "acme/web",
      name: "production",
      deploy_access_levels: [
        element,
        { ...element, access_level: null, group: "acme", group_inheritance_type: 1 },
      ],
      approval_rules: [{ ...element, required_approvals: 1 }],
      required_approval_count: 1,
    };
    expect(written("steward_protected_environment", state)).toEqual({
      project: "acme/web",
      name: "production",
      deploy_access_levels: [{ access_level: 40 }, { group: "acme", group_inheritance_type: 1 }],
      approval_rules: [{ access_level: 40 }],
    });
  });

  test("a configuration that is generated from a state omits an empty primary domain, but contains an empty managed set", () => {
    const pages = {
      id: "1",
      project: "acme/web",
      unique_domain_enabled: true,
      force_https: false,
      primary_domain: "",
      unpublish_on_destroy: false,
      url: "https://acme.pages.example.com/web",
    };
    expect(written("steward_pages_settings", pages)).toEqual({
      project: "acme/web",
      unique_domain_enabled: true,
      force_https: false,
    });
    const allowlist = { id: "1", project: "acme/web", target_projects: [], target_groups: null };
    expect(written("steward_job_token_allowlist", allowlist)).toEqual({
      project: "acme/web",
      target_projects: [],
    });
  });
});
