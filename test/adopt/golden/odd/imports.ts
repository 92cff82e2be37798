// Takes the live objects that main.ts declares into the state, with the first `steward apply`, which changes
// none of them. Afterwards, delete this file and the two lines of main.ts that name it.
import { ImportBlocks } from "cdktf-provider-steward";
import type { Construct } from "constructs";

/** Import ids by the path of the construct in the stack. */
const IMPORT_IDS = {
  "odd-invitation-expired-example-com": "odd:expired@example.com",
  "odd-invitation-o-neill-shop-example-com": "odd:o'neill+shop@example.com",
  "odd-1st-2nd/job-token-scope": "odd/1st/2nd",
  "odd-1st-2nd/job-token-allowlist": "odd/1st/2nd",
  "odd-1st-3rd/job-token-scope": "odd/1st/3rd",
  "odd-1st-3rd/job-token-allowlist": "odd/1st/3rd",
  "odd-a-b/job-token-scope": "odd/a-b",
  "odd-a-b/job-token-allowlist": "odd/a-b",
  "odd-a.b/job-token-scope": "odd/a.b",
  "odd-a.b/job-token-allowlist": "odd/a.b",
  "odd-hostile/job-token-scope": "odd/hostile",
  "odd-hostile/job-token-allowlist": "odd/hostile",
  "odd-hostile/environment-__proto__": "odd/hostile:__proto__",
  "odd-hostile/environment--": "odd/hostile:-",
  "odd-hostile/environment-0": "odd/hostile:0",
  "odd-hostile/environment-constructor": "odd/hostile:constructor",
  "odd-hostile/environment-Default": "odd/hostile:Default",
  "odd-hostile/environment-review--feature%20a": "odd/hostile:review--feature a",
  "odd-hostile/environment-review%2Ffeature%20a": "odd/hostile:review/feature a",
  "odd-hostile/environment-right%E2%80%AEto%20left%E2%80%8B%EF%BB%BF":
    "odd/hostile:right\u202eto left\u200b\ufeff",
  "odd-hostile/environment-say%20%22hello%22%2C%20it's%20%5Chere%5C":
    'odd/hostile:say "hello", it\'s \\here\\',
  "odd-hostile/environment-toString": "odd/hostile:toString",
  "odd-hostile/environment-two%0Alines%0D%0A%09and%20*%2F%20a%20comment%20%2F%2F":
    "odd/hostile:two\nlines\r\n\tand */ a comment //",
  "odd-hostile/environment-%E6%97%A5%E6%9C%AC%E8%AA%9E%20%E2%98%95%20caf%C3%A9": "odd/hostile:日本語 ☕ café",
  "odd-hostile/container-rule-odd%2Fhostile%2F%60%25%25%7By%7D%60": "odd/hostile:2",
  "odd-hostile/container-rule-*": "odd/hostile:3",
  "odd-hostile-TfToken-TOKEN-1-TfToken-TOKEN-2":
    'odd/hostile:${"#"}{TfToken[TOKEN.1]} ${"&"}{TfToken[TOKEN.2]}',
  "odd-hostile-process-exit-1": "odd/hostile:`$${process.exit(1)}`",
  "odd-hostile-file-etc-passwd": 'odd/hostile:$${file("/etc/passwd")}',
  "odd-hostile-TfToken-TOKEN-0": 'odd/hostile:${"$"}{TfToken[TOKEN.0]}',
  "odd-hostile-already-if-true": 'odd/hostile:${"$$"}{already} %%{ if true }',
  "odd-hostile-three-mixed": 'odd/hostile:${"$$$"}{three} ${"$%"}{mixed}',
  "odd-hostile-container-rule-x": "odd/hostile:1",
  "odd-open/job-token-scope": "odd/open",
  "odd-open/job-token-allowlist": "odd/open",
  "odd-pages/job-token-scope": "odd/pages",
  "odd-pages/job-token-allowlist": "odd/pages",
  "odd-pages/pages": "odd/pages",
  "odd-untouched/job-token-scope": "odd/untouched",
  "odd-untouched/job-token-allowlist": "odd/untouched",
};

export function importLiveObjects(stack: Construct): void {
  new ImportBlocks(stack, "imports", IMPORT_IDS);
}
