import { type HttpError, refused } from "../http/errors";
import type { Choice, Habit } from "../settings/settings";

export const oddRefusals: Habit = {
  name: "odd-refusals",
  does: 'protecting a protected environment is 400 `{"message": {"name": ["has already been taken"]}}` instead of 409, and the reasons of a failed invitation are arrays',
  client: "looks at the object before it says that it exists, and reads both shapes of reasons",
  since: "no public source names the release",
  sources: [
    "[Issue 470](https://github.com/gitlabhq/terraform-provider-gitlab/issues/470) (the same words for a project). No public source shows them for an environment",
    "[Invitations API](https://docs.gitlab.com/api/invitations/) (failures by address)",
  ],
  on: "by name",
};

/** The error for an environment that is protected already. */
export const ALREADY_PROTECTED: Choice<(name: string) => HttpError> = {
  habit: oddRefusals,
  off: (name) => refused(409, `Protected environment '${name}' already exists`),
  on: () => refused(400, { name: ["has already been taken"] }),
};

/** Formats the reason why an address is not invited, as the response contains it. */
export const REASON: Choice<(reason: string) => string> = {
  habit: oddRefusals,
  off: (reason) => reason,
  // The cast is needed because the OpenAPI document, and so the type, has only a text as the reason.
  on: (reason) => [reason] as never,
};
