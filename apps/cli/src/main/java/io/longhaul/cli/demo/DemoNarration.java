// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.client.ServerInfo;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.requestor.LongCall;

/** The texts of the demo that differ between generations. */
record DemoNarration(ServerInfo server) {

    String called() {
        return "3. the tool is called in the generation " + server.generation() + ": "
                + switch (server.longCall()) {
                    case AWAITED -> "this client knows no tasks, and waits for the answer";
                    case TASK_BY_SERVER, TASK -> "its call is answered with a task";
                    case JOINED_TASK -> "its call is accepted, and the client has joined it by a token";
                    case NAMED_TASK ->
                        "a notification tells that its call is a task, and the call stays open for the answer";
                    case PARTS -> "its call is answered part by part, each with a token for the next";
                };
    }

    /** How the client continues with the restarted server. */
    String resumed() {
        return "   The client "
                + switch (server.longCall()) {
                    case AWAITED -> "takes up the answer that it waits for where its stream broke off";
                    case TASK_BY_SERVER, TASK -> "asks for its task by the id";
                    case JOINED_TASK -> "joins what it waits for, and waits on";
                    case NAMED_TASK -> "asks for its task by the id that it has chosen itself";
                    case PARTS -> "makes its call again, with the token that came last";
                };
    }

    /** The features of the demo that this generation lacks; empty where it has all. */
    String missing() {
        if (!server.generation().revision().has(Capability.ELICITATION)) {
            return "   This generation has neither tasks nor questions: the tool could not ask, and failed for that.";
        }
        if (server.longCall() == LongCall.AWAITED) {
            return "   This generation has no tasks: nobody but this client could have come back to the call."
                    + " The server kept a record of it all the same.";
        }
        return server.longCall() == LongCall.PARTS
                ? "   This generation has no ids of tasks: whoever has the token and the call goes on with it."
                        + " The server kept a record of it all the same."
                : "";
    }
}
