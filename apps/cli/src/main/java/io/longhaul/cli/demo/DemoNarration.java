// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.dialect.Traits;

/** The texts of the demo that differ between generations. */
final class DemoNarration {

    private final Generation generation;
    private final Traits traits;

    DemoNarration(Generation generation) {
        this.generation = generation;
        this.traits = ClientDialects.of(generation).traits();
    }

    String called() {
        return "3. the tool is called in the generation " + generation + ": "
                + switch (traits.making().by()) {
                    case NEVER -> "this client knows no tasks, and waits for the answer";
                    case BY_SERVER, BY_CALLER ->
                        joins()
                                ? "its call is accepted, and the client has joined it by a token"
                                : "its call is answered with a task";
                    case BESIDE_RESPONSE ->
                        "a notification tells that its call is a task, and the call stays open for the answer";
                    case IN_PARTS -> "its call is answered part by part, each with a token for the next";
                };
    }

    /** How the client continues with the restarted server. */
    String resumed() {
        return "   The client "
                + switch (traits.making().by()) {
                    case NEVER ->
                        traits.resumable()
                                ? "takes up the answer that it waits for where its stream broke off"
                                : "makes its call again, whose key finds the work that goes on";
                    case BY_SERVER, BY_CALLER ->
                        joins() ? "joins what it waits for, and waits on" : "asks for its task by the id";
                    case BESIDE_RESPONSE -> "asks for its task by the id that it has chosen itself";
                    case IN_PARTS -> "makes its call again, with the token that came last";
                };
    }

    private boolean joins() {
        return traits.making().kept() == Keep.From.LEAVING;
    }

    /** The features of the demo that this generation lacks; empty where it has all. */
    String missing() {
        if (!generation.revision().has(Capability.ELICITATION)) {
            return "   This generation has neither tasks nor questions: the tool could not ask, and failed for that.";
        }
        if (traits.making().by() == Created.NEVER) {
            return "   This generation has no tasks: nobody but this client could have come back to the call."
                    + " The server kept a record of it all the same.";
        }
        return traits.making().by() == Created.IN_PARTS
                ? "   This generation has no ids of tasks: whoever has the token and the call goes on with it."
                        + " The server kept a record of it all the same."
                : "";
    }
}
