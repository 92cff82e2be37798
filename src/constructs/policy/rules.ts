import { type DeclaredResource, isKnown } from "../declared/declared-resource";
import type { PolicyRule, Violation } from "./policy-rule";

/** Every project has its limit on inbound job tokens switched on, in the code. */
export const inboundLimitOn = (): PolicyRule => ({
  name: "inbound limit on",
  why: "With the limit off, job tokens of every project on the instance get in.",
  check(project) {
    const scopes = project.ofType("steward_job_token_scope");
    const missing: Violation = {
      what: "Nothing declares the limit on inbound job tokens.",
      mend: "Declare a JobTokenScope with inboundEnabled: true, or set inboundEnabled of the ProjectSettings.",
    };
    if (scopes.length === 0) return [missing];
    return scopes.flatMap(({ construct, attributes }) => {
      const value = attributes["inbound_enabled"];
      if (value === true) return [];
      if (!isKnown(value)) return [undecided(construct, "inboundEnabled")];
      const what =
        value === undefined ? "inboundEnabled is left out." : `inboundEnabled is ${String(value)}.`;
      return [{ construct, what, mend: "Set inboundEnabled to true." }];
    });
  },
});

/** Every project's allowlist of projects is owned as a whole, so that an entry made by hand is found and removed. */
export const allowlistOwned = (): PolicyRule => ({
  name: "allowlist owned",
  why: "An allowlist that nobody owns as a whole keeps every entry that was ever made by hand.",
  check(project) {
    const owner = project
      .ofType("steward_job_token_allowlist")
      .find(({ attributes }) => attributes["target_projects"] !== undefined);
    return owner !== undefined
      ? []
      : [
          {
            what: "Nothing owns the projects on the allowlist of job tokens.",
            mend: "Declare a JobTokenAllowlist with targetProjects, or set allowlist.targetProjects of the ProjectSettings.",
          },
        ];
  },
});

/** No invitation gives more than a level, such as `AccessLevel.MAINTAINER`. */
export const invitationLevelAtMost = (level: number): PolicyRule => ({
  name: `invitations up to level ${level}`,
  why: "Higher levels are given by who runs the platform, not by a pull request.",
  check: (project) =>
    eachInvitation(project.ofType("steward_project_invitation"), "access_level", (value) =>
      Number(value) <= level
        ? undefined
        : {
            what: `The invitation gives the level ${String(value)}.`,
            mend: `Set accessLevel to ${level} or less.`,
          },
    ),
});

/** Every invitation has a day on which it ends. */
export const invitationsExpire = (): PolicyRule => ({
  name: "invitations expire",
  why: "Access that never ends is access that nobody looks at again.",
  check: (project) =>
    eachInvitation(project.ofType("steward_project_invitation"), "expires_at", (value) =>
      value === undefined
        ? { what: "The invitation never ends.", mend: "Set expiresAt to a day." }
        : undefined,
    ),
});

const eachInvitation = (
  invitations: readonly DeclaredResource[],
  attribute: string,
  judge: (value: unknown) => Violation | undefined,
): Violation[] =>
  invitations.flatMap(({ construct, attributes }) => {
    const value = attributes[attribute];
    const found = isKnown(value) ? judge(value) : undecided(construct, camelCase(attribute));
    return found === undefined ? [] : [{ construct, ...found }];
  });

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** A rule asks for a value that is known at apply alone. */
export const undecided = (construct: Violation["construct"], attribute: string): Violation => ({
  construct,
  what: `${attribute} is known at apply alone, so the rule can't be judged.`,
  mend: "Write the value itself.",
  isUndecided: true,
});
