import { type AttributeText, computed, required } from "./schema";

/** The project that a resource belongs to. */
export const projectAttribute = (whose: string) =>
  required.reference("project", {
    description:
      `The project ${whose}, by its numeric id or its full path (such as \`acme/web-shop\`). ` +
      "Both mean the same; changing it to another project replaces this object.",
    replaces: true,
  });

/** The group that a resource belongs to. */
export const groupAttribute = (whose: string) =>
  required.reference("group", {
    description:
      `The group ${whose}, by its numeric id or its full path (such as \`acme/platform\`). ` +
      "Both mean the same; changing it to another group replaces this object.",
    replaces: true,
  });

/** The id that every resource has, in the shape that import takes. */
export const idAttribute = (format: string) =>
  computed.string({ description: `The id of this object, \`${format}\`, as \`steward import\` takes it.` });

/** Access levels that may be given for deployments and approvals (specification, "Protected environment"). */
export const DEPLOY_LEVELS: Readonly<Record<number, string>> = {
  30: "Developer",
  40: "Maintainer",
  60: "Admin",
};

/** A check that a number is one of a few that have names. */
export const oneOf =
  (named: Readonly<Record<number, string>>): NonNullable<AttributeText<number>["check"]> =>
  (value) => {
    if (String(value) in named) return undefined;
    const allowed = Object.entries(named).map(([number, name]) => `${number} (${name})`);
    return `${value} is not one of ${allowed.join(", ")}.`;
  };
