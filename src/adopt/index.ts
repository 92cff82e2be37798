// Writes code for live settings: new apps, new Terraform configurations, or edits of existing code. `cli` contains the options
// and output of the commands.

export { ConfigurationSource } from "./accept/configuration-source";
export { canTake, type FleetPlace, type InsertOptions, insertIntoApp, requirePlace } from "./accept/insert";
export { type AcceptedValue, TypeScriptSource } from "./accept/typescript-source";
export { type ImportBlock, printImportBlocks, writeConfiguration } from "./configuration/write-configuration";
export { AdoptionFolder, ExistingApp, type WrittenFile } from "./folder/adoption-folder";
export { EMAILS_FILE, withoutAddresses } from "./model/emails";
export { foldByCause, nameContainers, noteText, skippedNotes, undeclarableNotes } from "./model/fold-notes";
export type * from "./model/live-settings";
export { fromListing } from "./model/live-settings";
export { projectFiles, type TypeScriptAppOptions, writeTypeScriptApp } from "./typescript/app";
export { defaultStackUnit, STACK_UNITS, type StackUnit } from "./typescript/stack-plan";
