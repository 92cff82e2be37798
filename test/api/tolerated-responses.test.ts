import * as fc from "fast-check";
import { type $ZodType, safeParse } from "zod/v4/core";
import { createClient } from "../../src/api";
import { OPERATIONS } from "../../src/api/areas";
import type { Operation } from "../../src/api/calls/operation";
import { runs, seed } from "../support/capabilities";
import { json, startFaultServer } from "./support/fault-server";

// Responses differ between releases: releases add or remove fields, and return null for some fields. The tests check that
// the client requires only fields that identify an object, and fields without which a change could do harm.

const SHARE = ["group_id", "group_full_path", "group_access_level"].map(
  (name) => `shared_with_groups.${name}`,
);

/**
 * The required fields, by operation. All fields that are not listed here may be missing or null, also in nested records.
 */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  "jobTokenScope.get": [],
  "jobTokenScope.allowlist": ["id", "path_with_namespace", "namespace.id"],
  "jobTokenScope.addProject": ["source_project_id", "target_project_id"],
  "jobTokenScope.groupsAllowlist": ["id", "web_url"],
  "jobTokenScope.addGroup": ["source_project_id", "target_group_id"],
  "protectedEnvironments.*": ["name", "deploy_access_levels", "deploy_access_levels.id", "approval_rules.id"],
  "pages.domains": ["domain"],
  "pages.*": [],
  "ciTemplates.list": ["key"],
  "ciTemplates.get": ["content"],
  "containerProtectionRules.*": ["id", "repository_path_pattern"],
  "projectInvitations.create": ["status"],
  "projectInvitations.list": ["invite_email", "access_level"],
  "projectInvitations.update": ["access_level"],
  "groupInvitations.create": ["status"],
  "groupInvitations.list": ["invite_email", "access_level"],
  "groupInvitations.update": ["access_level"],
  "enterpriseUsers.list": ["id", "username"],
  "users.current": ["id", "username"],
  "users.token": ["id", "scopes"],
  "users.*": ["id", "username"],
  "projects.permissions": [
    "id",
    "permissions.project_access.access_level",
    "permissions.group_access.access_level",
  ],
  "projects.get": ["id", "path_with_namespace", "namespace.id", ...SHARE],
  "projects.*": ["id", "path_with_namespace", "namespace.id"],
  "groups.get": ["id", "full_path", ...SHARE],
  "groups.projects": ["id", "path_with_namespace", "namespace.id"],
  "groups.*": ["id", "full_path"],
  "members.*": ["id", "username", "access_level", "member_role.id"],
  "environments.list": ["id", "name"],
  "issues.*": ["id", "iid", "title", "state", "author", "author.id", "author.username"],
  "mergeRequests.ofCommit": [
    ...["id", "iid", "project_id", "sha", "state", "source_branch", "target_branch"],
    ...["author", "author.id", "author.username"],
  ],
  "mergeRequests.ofProject": [
    ...["id", "iid", "project_id", "sha", "state", "source_branch", "target_branch"],
    ...["author", "author.id", "author.username"],
  ],
  "mergeRequests.versions": ["id", "head_commit_sha", "created_at"],
  "mergeRequests.pushes": ["id", "created_at", "author", "author.id", "author.username"],
  "mergeRequests.approvals": ["approved_by.user", "approved_by.user.id", "approved_by.user.username"],
  "pipelines.list": ["id", "sha", "status"],
  "pipelines.ofMergeRequest": ["id", "sha", "status"],
  "pipelines.jobs": ["id", "name", "status"],
  "pipelines.commits": ["id"],
  "mergeRequests.reactions": ["id", "name", "user", "user.id", "user.username"],
  "mergeRequests.react": ["id", "name", "user", "user.id", "user.username"],
  "mergeRequests.*": ["id", "body", "updated_at", "author", "author.id", "author.username"],
};
/** Required fields that may be null. A null boolean means false. */
const NULLABLE: Readonly<Record<string, readonly string[]>> = { "jobTokenScope.get": ["inbound_enabled"] };

const of = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  table[name] ?? table[name.replace(/\.\w+$/, ".*")];

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly innerType?: $ZodType;
  readonly in?: $ZodType;
  readonly element?: $ZodType;
  readonly options?: readonly $ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly format?: string;
}
const definition = (schema: $ZodType): Definition => schema._zod.def as unknown as Definition;

/** Returns the schema inside optional, nullable and transformed schemas. */
function core(schema: $ZodType): $ZodType {
  const { innerType, in: before } = definition(schema);
  const inner = innerType ?? before;
  return inner === undefined ? schema : core(inner);
}

const TEXTS = fc.constantFrom(
  "",
  "text",
  "2026-12-31",
  "2026-12-31T23:59:59.000Z",
  "2026-12-31T23:59:59+02:00",
);

/**
 * Generates responses of this schema. A generated response has all required fields. It can lack other fields, and it can
 * have unknown fields.
 */
function answers(
  schema: $ZodType,
  required: ReadonlySet<string>,
  nullable: ReadonlySet<string>,
  at = "",
): fc.Arbitrary<unknown> {
  const { type, shape, element, options, entries, format } = definition(core(schema));
  switch (type) {
    case "object": {
      const known = Object.entries(shape!).map(([name, field]) => {
        const place = at === "" ? name : `${at}.${name}`;
        const value = answers(field, required, nullable, place);
        if (required.has(place)) return [name, value] as const;
        if (nullable.has(place)) return [name, fc.option(value)] as const;
        return [name, fc.oneof(value, fc.constantFrom(null, undefined))] as const;
      });
      const unknown = fc.dictionary(
        fc.constantFrom("new_field", "_links", "marked_for_deletion_on"),
        fc.jsonValue(),
      );
      return fc
        .tuple(unknown, fc.record(Object.fromEntries(known)))
        .map(([more, record]) => JSON.parse(JSON.stringify({ ...more, ...record })) as unknown);
    }
    case "array":
      return fc.array(answers(element!, required, nullable, at), { maxLength: 2 });
    case "union":
      return fc.oneof(...options!.map((option) => answers(option, required, nullable, at)));
    case "enum":
      return fc.constantFrom(...Object.values(entries!));
    case "string":
      return TEXTS;
    case "number":
      return format === "safeint" ? fc.integer({ min: 1 }) : fc.integer();
    case "boolean":
      return fc.boolean();
    case "record":
      return fc.dictionary(fc.constantFrom("ada", "bob@example.com"), fc.constant("why"));
    // The only custom type is an access level. The client accepts any value, because the provider checks it.
    case "custom":
      return fc.oneof(fc.integer(), fc.constantFrom("40", true));
    default:
      throw new Error(`No answer is known for a ${type}`);
  }
}

/** Returns the paths of all fields in the records of a response. */
const placesOf = (schema: $ZodType, at = ""): readonly string[] => {
  const { shape, element } = definition(core(schema));
  if (element !== undefined) return placesOf(element, at);
  return Object.entries(shape ?? {}).flatMap(([name, field]) => {
    const place = at === "" ? name : `${at}.${name}`;
    return [place, ...placesOf(field, place)];
  });
};

/** The operations whose responses have fields. Operations that return files are left out. */
const ANSWERED = OPERATIONS.filter(({ answer, isRaw }) => answer !== undefined && isRaw !== true).map(
  (operation): [string, Operation] => [operation.name, operation as Operation],
);

test.each(ANSWERED)(
  "the client accepts each response of %s that lacks optional fields or has unknown fields",
  (name, operation) => {
    const required = new Set(of(REQUIRED, name));
    const nullable = new Set(of(NULLABLE, name));
    const places = placesOf(operation.answer!);
    expect([...required, ...nullable].filter((place) => !places.includes(place))).toEqual([]);
    fc.assert(
      fc.property(answers(operation.answer!, required, nullable), (answer) => {
        expect(safeParse(operation.answer!, answer).error).toBeUndefined();
      }),
      { seed, numRuns: runs(60, 500) },
    );
  },
);

test("the client reads the header X-NEXT-PAGE in any letter case", async () => {
  const page = (ids: readonly number[], headers: Record<string, string>) =>
    json(
      200,
      ids.map((id) => ({ id, web_url: `https://example.com/groups/g${id}`, new_field: [] })),
      headers,
    );
  const server = await startFaultServer(
    page([1, 2], { "X-NEXT-PAGE": "2" }),
    page([3], { "X-Next-Page": "" }),
  );
  const client = createClient({ baseUrl: server.baseUrl, token: "t", env: {} });
  const all = await client.jobTokenScope.groupsAllowlist(1).toArray();
  expect(all.map(({ id }) => id)).toEqual([1, 2, 3]);
  await client.close();
  await server.close();
});
