import type { Environment } from "../stack-run/context";

const JOURNAL_ADDRESS = "TF_HTTP_JOURNAL_ADDRESS";
/** The placeholder for the name of the stack in the journal's address, which all stacks of a run take from one environment. */
const STACK = "{stack}";

/** The environment of one stack. */
export const withJournalOf = (stack: string | undefined, env: Environment["env"]): Environment["env"] => ({
  ...env,
  [JOURNAL_ADDRESS]: env[JOURNAL_ADDRESS]?.replaceAll(STACK, encodeURIComponent(stack ?? "")),
});

/** The environment without an address that is only that of the stacks of this run. */
export const withoutJournalOfRun = (env: Environment["env"]): Environment["env"] =>
  isJournalOfEach(env) ? env : { ...env, [JOURNAL_ADDRESS]: undefined };

/** Whether the environment says where the journal of each stack is. */
export const isJournalOfEach = (env: Environment["env"]): boolean =>
  env[JOURNAL_ADDRESS]?.includes(STACK) ?? true;
