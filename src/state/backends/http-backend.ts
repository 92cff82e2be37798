import type { Hint } from "../../diagnostics";
import { isDead } from "../../files";
import { type HttpResponse, textOf } from "../../http";
import { readableState } from "../format/format-state";
import { HttpJournal, isJournalDocument } from "../journal/http-journal";
import {
  acquire,
  formatLockInfo,
  type LockAttempt,
  type LockInfo,
  type LockRequest,
  lockedError,
  parseLockInfo,
  type StateLock,
  unlockError,
} from "../lock/lock";
import { digestOf, type State, type Version } from "../model/model";
import { addressKey, safeUrl } from "../storage/http-addresses";
import type { HttpBackendConfig } from "../storage/http-config";
import { HttpTransport, isPage, pageProblem, SAVED, statusProblem } from "../storage/http-transport";
import { stateIoError } from "../storage/io-errors";
import { stateIsJournal } from "../storage/occupied";
import { type Announce, QueuedBackend, type Seen, type StorageLocation } from "./backend";

const LOCKED_STATUSES = new Set([409, 423]);

const WITHOUT_LOCK: Hint = {
  hint: "Locking may need a higher role than reading. A plan without a lock works with a read-only token.",
  action: { kind: "plan", lock: false },
};

/** A state at a URL, in the protocol of Terraform's `http` backend. */
export class HttpBackend extends QueuedBackend<Seen> {
  readonly description: string;
  readonly journal: HttpJournal;
  override readonly origins: readonly string[];
  private readonly transport: HttpTransport;
  private lockId: string | undefined;

  constructor(private readonly config: HttpBackendConfig) {
    super();
    this.description = safeUrl(config.address);
    const { address, journalAddress, lockAddress, unlockAddress } = config;
    const all = [address, journalAddress, lockAddress, unlockAddress].flatMap((url) => url?.origin ?? []);
    this.origins = [...new Set(all)];
    this.transport = new HttpTransport(config);
    this.journal = new HttpJournal(config, this.transport, () => this.version);
  }

  async locations(): Promise<readonly StorageLocation[]> {
    const { address, journalAddress } = this.config;
    return [
      { use: "state", description: this.description, keys: [addressKey(address)] },
      { use: "journal", description: this.journal.description, keys: [addressKey(journalAddress)] },
    ];
  }

  protected async load(): Promise<Seen> {
    const found = await this.transport.read(this.config.address);
    if (found === undefined) return {};
    const { text, bytes, state } = found;
    if (isJournalDocument(state)) {
      if (await this.journal.isEarlier(state)) return {};
      return stateIsJournal(this.description);
    }
    const { serial, lineage } = state;
    return { state, version: { serial, lineage, digest: digestOf(text, bytes) } };
  }

  /** Returns true while this run holds the lock, because no other process writes then. */
  protected isCurrent(): boolean {
    return this.lockId !== undefined;
  }

  protected async store(state: State, before: Seen, announce?: Announce): Promise<Seen | undefined> {
    const text = this.format(state);
    const version: Version = { serial: state.serial, lineage: state.lineage, digest: digestOf(text) };
    if (version.digest === before.version?.digest) return undefined;
    await announce?.(version);
    const url = new URL(this.config.address);
    if (this.lockId !== undefined) url.searchParams.set("ID", this.lockId);
    const answer = await this.transport.save(url, text, {
      place: this.config.address,
      isOther: ({ status }) => LOCKED_STATUSES.has(status),
    });
    if (LOCKED_STATUSES.has(answer.status)) throw lockedError(this.holderIn(answer), this.description);
    return { version, state };
  }

  private format(state: State): string {
    try {
      return readableState(state);
    } catch (problem) {
      throw stateIoError(problem, "write", this.description);
    }
  }

  /** Locks the state if the backend has a `lock_address`. Otherwise, the state is not locked, as under Terraform. */
  lock(request: LockRequest): Promise<StateLock> {
    const { lockAddress } = this.config;
    return acquire(request, this.description, {
      attempt: async (info) => {
        if (lockAddress === undefined) return { isTaken: true };
        const result = await this.attempt(lockAddress, info);
        if (result.isTaken) this.lockId = info.id;
        return result;
      },
      release: async (info) => {
        if (this.lockId === undefined) return;
        this.lockId = undefined;
        await this.remove(info);
      },
    });
  }

  /** Returns "unknown", because the protocol reports the holder only to a request that would take the lock. */
  async holder(): Promise<LockInfo | "unknown" | undefined> {
    return "unknown";
  }

  private async attempt(url: URL, info: LockInfo): Promise<LockAttempt> {
    const first = await this.requestLock(url, info);
    const holder = first.isTaken ? undefined : first.holder;
    if (holder?.process === undefined || !isDead(holder.process)) return first;
    // The server removes a lock only if its id matches. If another process has already replaced the stale lock, this request
    // can't remove the new lock.
    await this.remove(holder);
    const second = await this.requestLock(url, info);
    return second.isTaken ? { isTaken: true, stale: holder } : second;
  }

  private async requestLock(url: URL, info: LockInfo): Promise<LockAttempt> {
    const answer = await this.transport.send(this.config.lockMethod, url, formatLockInfo(info));
    if (answer.status === 200 && isPage(answer)) pageProblem(this.config.lockMethod, url);
    if (answer.status === 200) return { isTaken: true };
    if (!LOCKED_STATUSES.has(answer.status)) {
      statusProblem(answer, this.config.lockMethod, url, answer.status === 403 ? WITHOUT_LOCK : undefined);
    }
    const holder = this.holderIn(answer);
    // If the holder has our own id, an earlier attempt took the lock and its response was lost.
    return holder.id === info.id ? { isTaken: true } : { isTaken: false, holder };
  }

  private holderIn(answer: HttpResponse): LockInfo {
    return parseLockInfo(textOf(answer), this.description);
  }

  private async remove(info: LockInfo): Promise<void> {
    const { unlockAddress, unlockMethod } = this.config;
    if (unlockAddress === undefined) return;
    const answer = await this.transport.send(unlockMethod, unlockAddress, formatLockInfo(info));
    // Our lock no longer exists: another run holds the lock, or the state is not locked.
    const isNotHeld = LOCKED_STATUSES.has(answer.status) || answer.status === 404;
    if (!SAVED.has(answer.status) && !isNotHeld) statusProblem(answer, unlockMethod, unlockAddress);
    if (!isNotHeld && isPage(answer)) pageProblem(unlockMethod, unlockAddress);
  }

  async unlock(id: string): Promise<LockInfo> {
    const { unlockAddress, unlockMethod } = this.config;
    if (unlockAddress === undefined) return unlockError(id, undefined, this.description);
    const lockInfo = JSON.stringify({ ID: id });
    const answer = await this.transport.send(unlockMethod, unlockAddress, lockInfo);
    if (SAVED.has(answer.status) && isPage(answer)) pageProblem(unlockMethod, unlockAddress);
    if (SAVED.has(answer.status)) return parseLockInfo(lockInfo, this.description);
    if (answer.status === 404) return unlockError(id, undefined, this.description);
    if (LOCKED_STATUSES.has(answer.status)) return unlockError(id, this.holderIn(answer), this.description);
    return statusProblem(answer, unlockMethod, unlockAddress);
  }
}
