/**
 * A position in the change log of a company. All entries before it are delivered. If a record changes several times up to `horizon`, the
 * webhook receives one event, in the place of the last change.
 */
export interface DeliveryCursor {
  /** All entries up to this revision are delivered. */
  revision: number
  position: {
    /** The last delivered entry of the next revision. Empty if there is none. */
    resource: string
    record_id: number
    /** For each resource, the highest id at the last horizon. A change of a higher id is the creation of the record. */
    known: Record<string, number>
    /**
     * The last horizon. A record with a lower id was created since then if the log has its creation: ids can be drawn early and committed
     * late. Absent at the beginning and after a replay.
     */
    start?: number | null
    /** Revision up to which changes are examined before later ones. Null if all entries up to an earlier horizon are delivered. */
    horizon: number | null
    /** The highest ids at the horizon. */
    next_known: Record<string, number> | null
    /** Time at which the horizon was set. */
    opened: string | null
    /**
     * The delivery that begins here without a horizon, if its result is unknown or it has failed: its `webhook-id` and number of changes.
     */
    sent?: { id: string, count: number } | null
    /** After a replay, its time: records that were created later are new, instead of those with ids above `known`. */
    created_after?: string | null
  }
}
