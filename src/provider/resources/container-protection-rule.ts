import type { ContainerProtectionRule } from "../../api";
import { continueWith } from "../../framework";
import {
  type AttributeText,
  computed,
  type Declared,
  describeValues,
  invalidValue,
  optional,
  required,
  valuesOf,
} from "../../schema";
import { type Collection, defineResource, type Found, projectAttribute, wordsOf } from "../define";

/** The levels of a rule (specification, "Container repository protection rule"). */
const LEVELS = wordsOf(
  "ContainerAccessLevel",
  "The minimum access levels that a container protection rule can require.",
  "maintainer",
  "owner",
  "admin",
);
type Level = (typeof LEVELS)["members"][number]["value"];

/** A rule without a minimum level allows the most access, so null comes first. */
const FROM_LOOSEST = { fromLoosest: [null, ...LEVELS.members.map(({ value }) => value)] };

const minimumLevel = (description: string): AttributeText<string> => ({
  description:
    `${description}: ${describeValues(LEVELS)}. If omitted, the rule has no such level. ` +
    "At least one of the two levels is required.",
  ...valuesOf<string>(LEVELS),
});

const attributes = {
  project: projectAttribute("whose container repositories are protected"),
  repository_path_pattern: required.string({
    description:
      "The pattern of the protected container repositories' paths, such as `acme/web-shop/release*`; `*` matches any " +
      "text. A project has at most one rule for each pattern. Steward changes the pattern in place.",
    check: (pattern) =>
      /^\S{1,255}$/.test(pattern)
        ? undefined
        : `${JSON.stringify(pattern)} is not a valid pattern. A pattern has 1 to 255 characters and no spaces.`,
  }),
  minimum_access_level_for_push: optional.string(minimumLevel("The lowest role that may push images")),
  minimum_access_level_for_delete: optional.string(minimumLevel("The lowest role that may delete images")),
  rule_id: computed.number("The numeric id of the rule, which the service assigns."),
};

type Rule = Declared<typeof attributes>;

/** The rules of a project. The collection has no `single`, because the API returns only the whole list. */
export const rules: Collection<number, ContainerProtectionRule> = {
  name: "container protection rules",
  list: (api, container) => api.containerProtectionRules.list(container),
  keyOf: ({ id }) => id,
};

/** The people who can push and delete images (specification, "Container repository protection rules"). */
export const containerProtectionRule = defineResource({
  type: "container_protection_rule",
  description:
    "Protects container repositories of a project: only users with a minimum role may push or delete images. " +
    "Steward changes all attributes except `project` in place. The token's user needs the Maintainer role.",
  attributes,
  container: "project",
  feature: "protection rules of its container registry",
  access: {
    grants: "images",
    pattern: "repository_path_pattern",
    push: "minimum_access_level_for_push",
    delete: "minimum_access_level_for_delete",
    rule: "rule_id",
    // Specification, "Container repository protection rule".
    levels: { maintainer: 40, owner: 50, admin: Number.POSITIVE_INFINITY },
    strictness: {
      attributes: {
        minimum_access_level_for_push: FROM_LOOSEST,
        minimum_access_level_for_delete: FROM_LOOSEST,
      },
    },
  },
  key: {
    name: "rule id",
    example: "7",
    attributes: ["rule_id"],
    of: (object) => ("rule_id" in object ? String(object.rule_id) : ""),
    unique: patternOf,
    alike: async ({ collection }, pattern) => (await collection(rules).where(patternOf, pattern)).map(found),
  },

  validate: ({
    minimum_access_level_for_push: push = null,
    minimum_access_level_for_delete: remove = null,
  }) =>
    push === null && remove === null
      ? [
          invalidValue(
            ["minimum_access_level_for_push"],
            "A rule needs minimum_access_level_for_push, minimum_access_level_for_delete, or both. Set at least one.",
          ),
        ]
      : [],
  // A rule owns its pattern, because the service refuses two rules with the same pattern, and the id is unknown
  // until the create.
  owns: {
    entries: ({ repository_path_pattern }) => [
      { set: "container protection rules", entry: repository_path_pattern },
    ],
  },

  async create({ api, container, collection }, declared) {
    const { repository_path_pattern } = declared;
    const written = await collection(rules).send(() =>
      api.containerProtectionRules.create(container, { repository_path_pattern, ...changedLevels(declared) }),
    );
    collection(rules).written(written);
    return found(written);
  },

  read: ({ collection, expected }, key) =>
    continueWith(collection(rules).get(Number(key), expected), (rule) => rule && found(rule)),

  async update({ api, container, collection }, declared, observed) {
    const { repository_path_pattern } = declared;
    const written = await api.containerProtectionRules.update(container, observed.rule_id!, {
      ...(repository_path_pattern !== observed.repository_path_pattern && { repository_path_pattern }),
      ...changedLevels(declared, observed),
    });
    collection(rules).written(written, observed.rule_id!);
    return found(written);
  },

  async delete({ api, container, collection }, key) {
    await collection(rules).send(() => api.containerProtectionRules.delete(container, Number(key)));
    collection(rules).removed(Number(key));
  },

  list: async ({ collection }) => [...(await collection(rules).all()).values()].map(found),
});

function patternOf({ repository_path_pattern }: Pick<Rule, "repository_path_pattern">): string {
  return repository_path_pattern;
}

const LEVEL_NAMES = ["minimum_access_level_for_push", "minimum_access_level_for_delete"] as const;
type Levels = Pick<Rule, (typeof LEVEL_NAMES)[number]>;

/**
 * Returns the declared levels that differ from the live rule, as parameters of a request. Without a live rule, the
 * function returns all declared levels. An empty string removes a level.
 */
const changedLevels = (declared: Levels, observed?: Levels) =>
  Object.fromEntries(
    LEVEL_NAMES.filter((name) => declared[name] !== (observed?.[name] ?? null)).map((name) => [
      name,
      declared[name] ?? "",
    ]),
  ) as { [Name in keyof Levels]?: Level };

const found = (rule: ContainerProtectionRule): Found<typeof attributes> => ({
  rule_id: rule.id,
  repository_path_pattern: rule.repository_path_pattern,
  minimum_access_level_for_push: rule.minimum_access_level_for_push,
  minimum_access_level_for_delete: rule.minimum_access_level_for_delete,
});
