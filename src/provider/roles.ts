import type { ResourceDefinition } from "../framework";

/** The level of an administrator of the instance, above all roles. */
export const ADMINISTRATOR = 60;

const ROLES: Readonly<Record<number, string>> = {
  10: "Guest",
  40: "Maintainer",
  50: "Owner",
  [ADMINISTRATOR]: "administrator of the instance",
};

/** The level of the role that the specification requires to change an object. */
export const neededLevel = ({ container, writers }: ResourceDefinition): number =>
  writers?.role ?? (container === "group" ? 50 : 40);

/** The name of a role that changes need. */
export const roleName = (level: number): string => ROLES[level] ?? `level ${level}`;

/** The name of the role that an object needs. */
export const neededRole = (definition: ResourceDefinition): string => ROLES[neededLevel(definition)]!;
