import { useWorld } from "../support/world";
import { company, TOKEN } from "./company";
import { byPlace, type Change, describeChanges } from "./support";

const world = useWorld(company());

const described = async (...changes: readonly Change[]) =>
  byPlace(await describeChanges(world(), changes, TOKEN.root));

describe("whose job tokens reach a project", () => {
  test("entries of the allowlist gain and lose", async () => {
    const allowlist = { project: "acme/shop", target_projects: ["acme/docs"], target_groups: ["secret"] };
    expect(await described({ type: "job_token_allowlist", given: allowlist, id: "1" })).toEqual({
      "acme/shop": ["use_job_tokens +secret +acme/docs -acme/tools"],
    });
    const given = { project: "acme/shop", target_project: "acme/docs" };
    expect(await described({ type: "job_token_allowlist_project", given })).toEqual({
      "acme/shop": ["use_job_tokens +acme/docs"],
    });
    expect(await described({ type: "job_token_allowlist_project", given: null, id: "1:2" })).toEqual({
      "acme/shop": ["use_job_tokens -acme/tools"],
    });
  });

  test("a new limit shows that every project loses access, except those that are allowed", async () => {
    expect(
      await described(
        { type: "job_token_scope", given: { project: "acme/docs", inbound_enabled: true }, id: "3" },
        {
          type: "job_token_allowlist_project",
          given: { project: "acme/docs", target_project: "acme/tools" },
        },
      ),
    ).toEqual({
      "acme/docs": ["use_job_tokens -every project (except project acme/tools)", "job token limit off -> on"],
    });
  });

  test("the end of the limit shows that every project gains access", async () => {
    const given = { project: "acme/shop", inbound_enabled: false };
    expect(await described({ type: "job_token_scope", given, id: "1" })).toEqual({
      "acme/shop": ["use_job_tokens +every project", "job token limit on -> off"],
    });
  });

  test("an entry changes nothing while the limit is off, and destroying the setting leaves it", async () => {
    const given = { project: "acme/docs", target_project: "acme/tools" };
    expect(await described({ type: "job_token_allowlist_project", given })).toEqual({});
    expect(await described({ type: "job_token_scope", given: null, id: "1" })).toEqual({});
  });

  test("what replaces an entry that another object declares keeps it", async () => {
    expect(
      await described(
        { type: "job_token_allowlist_project", given: null, id: "1:2" },
        { type: "job_token_allowlist", given: { project: "acme/shop", target_projects: ["acme/tools"] } },
      ),
    ).toEqual({});
  });
});

describe("who pushes and deletes protected images", () => {
  const rule = (pattern: string, levels: object) => ({
    project: "acme/shop",
    repository_path_pattern: pattern,
    ...levels,
  });

  test("a higher level shows who loses", async () => {
    const given = rule("acme/shop/web*", { minimum_access_level_for_push: "owner" });
    expect(await described({ type: "container_protection_rule", given, id: "1:21" })).toEqual({
      "acme/shop acme/shop/web*": ["push_images -maya", "minimum level for push maintainer -> owner"],
    });
  });

  test("who can push without a minimum level is not counted: the API does not say it", async () => {
    const given = rule("acme/shop/api", { minimum_access_level_for_push: "maintainer" });
    expect(await described({ type: "container_protection_rule", given })).toEqual({
      "acme/shop acme/shop/api": [
        "minimum level for push none -> maintainer",
        "not counted: who can push without a minimum level: the API does not define it",
      ],
    });
  });

  test("another rule that may match the same images is named", async () => {
    const given = rule("acme/*/web-api", { minimum_access_level_for_push: "owner" });
    expect(await described({ type: "container_protection_rule", given })).toEqual({
      "acme/shop acme/*/web-api": expect.arrayContaining([
        "not counted: the rule acme/shop/web*: it may match the same images",
      ]),
    });
  });
});

describe("who becomes a member", () => {
  test("a user is a member at once, an e-mail address once the invitation is accepted", async () => {
    expect(
      await described(
        { type: "project_invitation", given: { project: "acme/shop", user: "nina", access_level: 20 } },
        {
          type: "project_invitation",
          given: { project: "acme/shop", email: "new@example.com", access_level: 10 },
        },
      ),
    ).toEqual({
      "acme/shop": ["membership +new@example.com (as Guest once accepted) +nina (as Reporter)"],
      // Somebody of the group that an entry names may have that address.
      "acme/shop production": [
        "not counted: new@example.com: is invited by e-mail, and the token can't see whose address it is",
      ],
    });
  });

  test("a new Developer deploys to what is not protected, and to environments that name a group of the user", async () => {
    const given = { group: "secret/release", user: "nina", access_level: 30 };
    expect(
      await described(
        { type: "group_invitation", given },
        { type: "job_token_allowlist_project", given: { project: "acme/shop", target_project: "acme/docs" } },
      ),
    ).toEqual({
      "acme/shop production": ["deploy +nina (through group secret/release)"],
      "acme/shop": ["use_job_tokens +acme/docs"],
      "secret/release": [
        "membership +nina (as Developer)",
        "not counted: projects of secret/release without a change in this plan: their environments are not read, and the memberships are inherited there",
      ],
    });
    const direct = { project: "acme/shop", user: "nina", access_level: 30 };
    expect(await described({ type: "project_invitation", given: direct })).toEqual({
      "acme/shop": ["membership +nina (as Developer)"],
      "acme/shop not protected": ["deploy +nina"],
    });
  });

  test("another level of a pending invitation is no new member: it shows the levels", async () => {
    const invited = { email: "new@example.com", access_level: 30 };
    await world().http("POST", "/projects/1/invitations", invited, TOKEN.root);
    const given = { project: "acme/shop", ...invited, access_level: 20 };
    expect(await described({ type: "project_invitation", given, id: "1:new@example.com" })).toEqual({
      "acme/shop": ["invitation of new@example.com Developer -> Reporter"],
    });
  });

  test("the withdrawal of an invitation takes nothing away", async () => {
    const json = { email: "new@example.com", access_level: 30 };
    await world().http("POST", "/projects/1/invitations", json, TOKEN.root);
    expect(await described({ type: "project_invitation", given: null, id: "1:new@example.com" })).toEqual({});
  });
});
