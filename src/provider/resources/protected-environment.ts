import { ApiError, type Environment, type ProtectedEnvironment } from "../../api";
import type { DiagnosticPath } from "../../diagnostics";
import { continueWith, SomeWritesFailed } from "../../framework";
import {
  computed,
  countGiven,
  describeValues,
  elementStep,
  isUnknown,
  optional,
  optionalComputed,
  required,
  type ValueObject,
  valuesOf,
} from "../../schema";
import { counted } from "../../text";
import {
  type Collection,
  DEPLOY_LEVELS,
  defineResource,
  GROUP_INHERITANCE_TYPES,
  projectAttribute,
} from "../define";
import { changes, duplicateSubjects, fromRecord, toElement } from "./parts/access-entries";

/**
 * The declared elements of each set, in the order of the elements in the request. An element is undefined if the
 * request removes a record that is not declared.
 */
type SentElements = Readonly<Record<"deploy_access_levels" | "approval_rules", readonly unknown[]>>;

/**
 * Waits for a request that writes the access levels and approval rules of an environment. If the service refuses an
 * element, the service's message contains the index of the element in the request (`deploy_access_levels[0] …`).
 * Users do not know the request, so the error names the declared element.
 *
 * @throws SomeWritesFailed for that element; any other error unchanged
 */
async function withElementErrors<T>(sent: SentElements, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (problem) {
    const attribute = problem instanceof ApiError ? refusedElement(problem.serviceMessage, sent) : undefined;
    throw attribute === undefined ? problem : new SomeWritesFailed([{ attribute, problem }], false);
  }
}

function refusedElement(message: string | undefined, sent: SentElements): DiagnosticPath | undefined {
  const [, name = "", index] = /([a-z_]+)\[(\d+)\]/.exec(message ?? "") ?? [];
  if (name !== "deploy_access_levels" && name !== "approval_rules") return undefined;
  const element = sent[name][Number(index)];
  return element === undefined
    ? undefined
    : [name, elementStep(attributes[name].type, element, Number(index))];
}

const who = {
  user: optional.reference(
    "user",
    "The user, by numeric id or username. The user needs access to the project.",
  ),
  group: optional.reference(
    "group",
    "The group, by numeric id or full path. The project must be shared with this group.",
  ),
  access_level: optional.number({
    description: `The element applies to users with this role: ${describeValues(DEPLOY_LEVELS)}.`,
    ...valuesOf(DEPLOY_LEVELS),
  }),
  group_inheritance_type: optionalComputed.number({
    description:
      "The members of a group to whom the element applies: `0` (only direct members) or `1` (also inherited members).",
    default: 0,
    ...valuesOf(GROUP_INHERITANCE_TYPES),
  }),
};

const attributes = {
  project: projectAttribute("whose environment is protected"),
  name: required.string({
    description: "The name of the environment, such as `production`.",
    replaces: true,
    check: (name) => (name === "" ? "The name must not be empty." : undefined),
  }),
  deploy_access_levels: required.setOf(who, {
    description:
      "The users, groups and roles that may deploy. At least one element is required. Each element has exactly one " +
      "of `user`, `group` and `access_level`.",
    check: (elements) => (elements.length === 0 ? "At least one element is required." : undefined),
    checkElement: namesOne,
  }),
  approval_rules: optionalComputed.setOf(
    {
      ...who,
      required_approvals: optionalComputed.number({
        description: "The number of approvals that the rule requires.",
        default: 1,
        check: (count) =>
          Number.isInteger(count) && count >= 1 ? undefined : `${count} is not a whole number above 0.`,
      }),
    },
    {
      description:
        "The users, groups and roles that must approve a deployment, with the number of approvals. Each element has " +
        "exactly one of `user`, " +
        "`group` and `access_level`. If omitted, Steward does not manage the rules; `[]` removes all rules.",
      checkElement: namesOne,
    },
  ),
  required_approval_count: computed.number("The total number of approvals that a deployment requires."),
};

/** The protected environments of a project. */
export const environments: Collection<string, ProtectedEnvironment> = {
  name: "protected environments",
  list: (api, container) => api.protectedEnvironments.list(container),
  keyOf: ({ name }) => name,
  single: (api, container, name) => api.protectedEnvironments.get(container, name),
};

/** All environments of a project, protected or not. */
const anyEnvironments: Collection<string, Pick<Environment, "name">, Environment> = {
  name: "environments",
  list: (api, container) => api.environments.list(container),
  projection: ({ name }) => ({ name }),
  keyOf: ({ name }) => name,
};

/**
 * The people who can deploy to an environment, and the people who approve (specification, "Protected
 * environments").
 */
export const protectedEnvironment = defineResource({
  type: "protected_environment",
  description:
    "Protects an environment: only the declared users, groups and roles may deploy to it, after the declared " +
    "approvals. " +
    "Steward makes changes in place, so the environment is never without protection. The token's user needs the " +
    "Maintainer role.",
  attributes,
  container: "project",
  feature: "protected environments",
  access: {
    grants: "deployments",
    name: "name",
    deploy: "deploy_access_levels",
    approve: "approval_rules",
    strictness: {
      attributes: { deploy_access_levels: "allowed-entries", approval_rules: "required-entries" },
    },
  },
  key: {
    name: "environment name",
    example: "production",
    attributes: ["name"],
    of: ({ name }) => name,
    otherNames: async ({ collection }) => [...(await collection(anyEnvironments).all()).keys()],
  },

  check: ({ deploy_access_levels, approval_rules }) => [
    ...duplicateSubjects("deploy_access_levels", attributes.deploy_access_levels.type, deploy_access_levels),
    ...duplicateSubjects("approval_rules", attributes.approval_rules.type, approval_rules ?? []),
  ],

  async create({ api, container, collection }, { name, deploy_access_levels, approval_rules }) {
    const written = await withElementErrors(
      { deploy_access_levels, approval_rules: approval_rules ?? [] },
      collection(environments).send(() =>
        api.protectedEnvironments.protect(container, {
          name,
          deploy_access_levels: deploy_access_levels.map(toElement),
          ...(approval_rules && { approval_rules: approval_rules.map(toElement) }),
        }),
      ),
    );
    collection(environments).written(written, name);
    return foundEnvironment(written);
  },

  read: ({ collection, expected }, name) =>
    continueWith(
      collection(environments).get(name, expected),
      (environment) => environment && foundEnvironment(environment),
    ),

  isUpdateAdditive: true,
  async update(
    { api, container, collection, expected },
    { name, deploy_access_levels, approval_rules },
    observed,
  ) {
    const live = await collection(environments).get(name, expected);
    if (live === undefined) throw new ApiError({ code: "not_found", what: `${name} is no longer protected` });
    const levels = changes(live.deploy_access_levels, deploy_access_levels);
    const rules = approval_rules === null ? [] : changes(live.approval_rules, approval_rules);
    if (levels.length + rules.length === 0) return observed;
    const written = await withElementErrors(
      {
        deploy_access_levels: levels.map(({ declared }) => declared),
        approval_rules: rules.map(({ declared }) => declared),
      },
      api.protectedEnvironments.update(container, name, {
        ...(levels.length > 0 && { deploy_access_levels: levels.map(({ element }) => element) }),
        ...(rules.length > 0 && { approval_rules: rules.map(({ element }) => element) }),
      }),
    );
    collection(environments).written(written, name);
    return foundEnvironment(written);
  },

  async delete({ api, container, collection }, name) {
    await collection(environments).send(() => api.protectedEnvironments.unprotect(container, name));
    collection(environments).removed(name);
  },

  list: async ({ collection }) => [...(await collection(environments).all()).values()].map(foundEnvironment),
  defaults: { approval_rules: [] },
  undeclarable: ({ approval_rules, required_approval_count: count }) =>
    count !== null && count > 0 && approval_rules?.length === 0
      ? { required_approval_count: onlyCounted(count) }
      : {},
});

/** Converts a live environment to the attributes of the schema. */
export function foundEnvironment(environment: ProtectedEnvironment) {
  return {
    name: environment.name,
    deploy_access_levels: environment.deploy_access_levels.map(fromRecord),
    approval_rules: environment.approval_rules.map((rule) => ({
      ...fromRecord(rule),
      required_approvals: rule.required_approvals,
    })),
    required_approval_count: environment.required_approval_count,
  };
}

/** Returns the reason why a declaration can't express a number of approvals without approval rules. */
const onlyCounted = (count: number) =>
  `the environment requires ${counted(count, "approval")} without approval rules, and Steward manages only approval ` +
  "rules. If Steward replaces the environment, the number becomes 0";

function namesOne(element: ValueObject): string | undefined {
  const { user = null, group = null, access_level = null } = element;
  // This test saves time: most elements set only the level, and contain no unknown value.
  const isRole = user === null && group === null && access_level !== null && !isUnknown(access_level);
  if (isRole && element["group_inheritance_type"] !== 1) return undefined;
  const count = countGiven([user, group, access_level]);
  if (count === undefined) return undefined;
  if (count !== 1) return "Exactly one of user, group and access_level is required.";
  return element["group_inheritance_type"] === 1 && group === null
    ? "group_inheritance_type 1 is allowed only with group."
    : undefined;
}
