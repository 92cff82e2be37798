import type { Environment } from "../stack-run/context";

const JOURNAL_ADDRESS = "TF_HTTP_JOURNAL_ADDRESS";
/**
 * The placeholder for the name of the stack in the journal's address. All stacks of a run get this address from one environment.
 */
const STACK = "{stack}";

/** Returns the environment of one stack, with the stack's name in the journal's address. */
export const withJournalOf = (stack: string | undefined, env: Environment["env"]): Environment["env"] => ({
  ...env,
  [JOURNAL_ADDRESS]: env[JOURNAL_ADDRESS]?.replaceAll(STACK, encodeURIComponent(stack ?? "")),
});

/** Returns the environment without a journal address that applies only to the stacks of this run. */
export const withoutJournalOfRun = (env: Environment["env"]): Environment["env"] =>
  isJournalOfEach(env) ? env : { ...env, [JOURNAL_ADDRESS]: undefined };

/** Returns true if the environment determines the journal of each stack. */
export const isJournalOfEach = (env: Environment["env"]): boolean =>
  env[JOURNAL_ADDRESS]?.includes(STACK) ?? true;
