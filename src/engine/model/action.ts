/** What a plan does with an object. The two kinds of replacement differ in their order. */
export const ACTIONS = [
  "no-op",
  "create",
  "read",
  "update",
  "delete",
  "delete-then-create",
  "create-then-delete",
  "forget",
] as const;
export type Action = (typeof ACTIONS)[number];

/** The reason for an action, in Terraform's terms. */
export const ACTION_REASONS = [
  "replace_because_tainted",
  "replace_because_cannot_update",
  "replace_by_request",
  "replace_by_triggers",
  "delete_because_no_resource_config",
  "delete_because_wrong_repetition",
  "delete_because_count_index",
  "delete_because_each_key",
  "delete_because_no_move_target",
  "read_because_config_unknown",
  "read_because_dependency_pending",
  "read_because_check_nested",
] as const;
export type ActionReason = (typeof ACTION_REASONS)[number];
