import { type DeclaredResource, isKnown } from "../declared/declared-resource";
import type { AccessLevel } from "../generated";
import type { PolicyRule, Violation } from "./policy-rule";

/** Every project enables its limit on inbound job tokens. */
export const inboundLimitOn = (): PolicyRule => ({
  name: "inbound limit on",
  why: "Without the limit, job tokens of every project on the instance have access.",
  check(project) {
    const scopes = project.ofType("steward_job_token_scope");
    const missing: Violation = {
      what: "The limit on inbound job tokens is not declared.",
      fix: "Declare a JobTokenScope with inboundEnabled: true, or set inboundEnabled of the ProjectSettings.",
    };
    if (scopes.length === 0) return [missing];
    return scopes.flatMap(({ construct, attributes }) => {
      const value = attributes["inbound_enabled"];
      if (value === true) return [];
      if (!isKnown(value)) return [undecided(construct, "inboundEnabled")];
      const what = value === undefined ? "inboundEnabled is not set." : `inboundEnabled is ${String(value)}.`;
      return [{ construct, what, fix: "Set inboundEnabled to true." }];
    });
  },
});

/** Every project owns its allowlist of projects as a whole, so that manual entries are found and removed. */
export const allowlistOwned = (): PolicyRule => ({
  name: "allowlist owned",
  why: "An allowlist that is not owned as a whole keeps every manual entry.",
  check(project) {
    const owner = project
      .ofType("steward_job_token_allowlist")
      .find(({ attributes }) => attributes["target_projects"] !== undefined);
    return owner !== undefined
      ? []
      : [
          {
            what: "The projects on the job token allowlist are not owned.",
            fix: "Declare a JobTokenAllowlist with targetProjects, or set allowlist.targetProjects of the ProjectSettings.",
          },
        ];
  },
});

/** No invitation grants more than a level, such as `AccessLevel.MAINTAINER`. */
export const invitationLevelAtMost = (level: AccessLevel): PolicyRule => ({
  name: `invitations up to level ${level}`,
  why: "Higher levels are granted by the platform's administrators, not by a pull request.",
  check: (project) =>
    eachInvitation(project.ofType("steward_project_invitation"), "access_level", (value) =>
      Number(value) <= level
        ? undefined
        : {
            what: `The invitation grants the level ${String(value)}.`,
            fix: `Set accessLevel to ${level} or less.`,
          },
    ),
});

/** Every invitation has an expiry date. */
export const invitationsExpire = (): PolicyRule => ({
  name: "invitations expire",
  why: "Access without an expiry date is never reviewed.",
  check: (project) =>
    eachInvitation(project.ofType("steward_project_invitation"), "expires_at", (value) =>
      value === undefined
        ? { what: "The invitation never expires.", fix: "Set expiresAt to a date." }
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

/** Reports a rule that needs a value which is known only after apply. */
export const undecided = (construct: Violation["construct"], attribute: string): Violation => ({
  construct,
  what: `${attribute} is known only after apply, so the rule can't be checked.`,
  fix: "Set a literal value.",
  isUndecided: true,
});
