// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

/** What can happen to a call: a row of the table. */
enum Cell {
    COMPLETES("completes"),
    TOOL_ERROR("tool error"),
    PROTOCOL_ERROR("protocol error"),
    CANCELLED("cancelled early and late"),
    ANSWERED("question asked and answered"),
    APPROVED("approved, or declined"),
    QUESTION_CANCELLED("question cancelled"),
    PROGRESS("progress"),
    PARTIAL_OUTPUT("partial output"),
    EXPIRES("expires"),
    KILLED("killed and restarted half-way"),
    FOREIGN_OWNER("foreign owner"),
    UNKNOWN_ID("unknown id"),
    MALFORMED("malformed params"),
    RETRIED("retried creation"),
    TWO_WATCHERS("two watchers"),
    FETCHED_TWICE("result fetched twice");

    private final String title;

    Cell(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }
}
