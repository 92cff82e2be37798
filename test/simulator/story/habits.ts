// Random stories under one or two habits of the live platform.
import { Random } from "../time/random";
import type { Story } from "./story";

/** The seeds after this one have stories under habits. */
export const HABITS_FROM = 20_000_000;

/** The habits of the live platform that affect the resources of stories. */
const STORY_HABITS = [
  "allowlist-refusals",
  "invitation-refusals",
  "expiry-dates",
  "short-invitation-updates",
  "no-totals",
  "maintainers-change-pages",
  "primary-domain-urls",
  "admin-mode",
  "enforced-job-token-limit",
  "shifting-lists",
  "lagging-replicas",
  "sign-in-page",
  "html-not-found",
  "dropped-entries",
  "odd-refusals",
] as const;

const PAGES: readonly string[] = ["no-totals", "shifting-lists"];

/** Adds two random habits to a story. Both habits can be the same. */
export function withHabits(story: Story): Story {
  const random = new Random(story.seed ^ 0x4ab17);
  const habits = [...new Set([random.pick(STORY_HABITS), random.pick(STORY_HABITS)])];
  const lag = 100 + random.below(4900);
  return {
    ...story,
    habits,
    ...(habits.includes("lagging-replicas") && { lag }),
    ...(habits.some((one) => PAGES.includes(one)) && { pageLimit: 1 + random.below(2) }),
  };
}
