// Writes an app, or a configuration, for live settings.
export { writeConfiguration } from "./configuration/write-configuration";
export { AdoptionFolder, type WrittenFile } from "./folder/adoption-folder";
export { withoutAddresses } from "./model/emails";
export { fromListing } from "./model/from-listing";
export type * from "./model/live-settings";
export { type TypeScriptAppOptions, writeTypeScriptApp } from "./typescript/app";
export { type InsertOptions, insertIntoApp } from "./typescript/insert";
