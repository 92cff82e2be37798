import type { Environment } from "../stack-run/context";

const JOURNAL_ADDRESS = "TF_HTTP_JOURNAL_ADDRESS";
/**
 * The placeholder for the name of the stack in the journal's address. One environment variable contains the address for all
 * stacks of a run. With the name of the stack, each stack gets a different address.
 */
const STACK = "{stack}";

/** Returns the environment of one stack, with the stack's name in the journal's address. */
export const withJournalOf = (stack: string | undefined, env: Environment["env"]): Environment["env"] => ({
  ...env,
  [JOURNAL_ADDRESS]: env[JOURNAL_ADDRESS]?.replaceAll(STACK, encodeURIComponent(stack ?? "")),
});

/**
 * Returns the environment for stacks outside of this run. A journal address without a placeholder is removed, because this
 * address applies only to this run.
 */
export const withoutJournalOfRun = (env: Environment["env"]): Environment["env"] =>
  isJournalOfEach(env) ? env : { ...env, [JOURNAL_ADDRESS]: undefined };

/**
 * Returns whether the journal address of the environment is valid for every stack: it contains the placeholder, or is not set.
 */
export const isJournalOfEach = (env: Environment["env"]): boolean =>
  env[JOURNAL_ADDRESS]?.includes(STACK) ?? true;
