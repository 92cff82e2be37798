// Writes an app, or a configuration, for live settings.

export { ConfigurationSource } from "./accept/configuration-source";
export { extendFleets, type FleetPlace } from "./accept/extend-fleets";
export { type AcceptedValue, TypeScriptSource } from "./accept/typescript-source";
export { unifiedDiff } from "./accept/unified-diff";
export { type ImportBlock, printImportBlocks } from "./configuration/import-blocks";
export { writeConfiguration } from "./configuration/write-configuration";
export { AdoptionFolder } from "./folder/adoption-folder";
export { ExistingApp } from "./folder/existing-app";
export type { WrittenFile } from "./folder/files";
export { EMAILS_FILE, withoutAddresses } from "./model/emails";
export { foldByCause, nameContainers, noteText, skippedNotes, undeclarableNotes } from "./model/fold-notes";
export { fromListing } from "./model/from-listing";
export type * from "./model/live-settings";
export { type TypeScriptAppOptions, writeTypeScriptApp } from "./typescript/app";
export { canTake, type InsertOptions, insertIntoApp, requirePlace } from "./typescript/insert";
export { projectFiles } from "./typescript/project-files";
