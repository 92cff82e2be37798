import type { Database } from "../store/database";
import { readSetting, writeSetting } from "../store/settings";

export const PROMOTIONS = "enable_member_promotion_management";

/** Whether an administrator must approve promotions of existing users to a billable role. */
export const promotionsNeedApproval = (database: Database): boolean =>
  readSetting(database, PROMOTIONS) === true;

export const setPromotionsNeedApproval = (database: Database, wait: boolean): void =>
  writeSetting(database, PROMOTIONS, wait);
