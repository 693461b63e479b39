// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

/** The values that are read from the responses of an API. */
public enum ResponseField {
    /** The id of a job, in the response to its start. */
    ID,
    /** The address of the status of a job, in the response to its start. */
    STATUS_LINK,
    STATE,
    /** How much is done, of {@link #TOTAL} or of 100. */
    PROGRESS,
    TOTAL,
    MESSAGE,
    RESULT,
    /** The address of the result, in the last status. */
    RESULT_LINK,
    ERROR
}
