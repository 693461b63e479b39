// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The description that a client gives of itself, per session or per request.
 *
 * @param version      the protocol version that the client speaks, as the client wrote it
 * @param capabilities what the client can do
 * @param info         name and version as the client gave them; only for logs, never trusted
 * @param extensions   further extensions that Longhaul's own client declares, such as for authorization; not read from
 *                     other clients
 */
public record ClientProfile(String version, Capabilities capabilities, Json info, Set<String> extensions) {

    public ClientProfile {
        extensions = Set.copyOf(extensions);
    }

    /** A client without further extensions. */
    public ClientProfile(String version, Capabilities capabilities, Json info) {
        this(version, capabilities, info, Set.of());
    }

    /**
     * What a client can be asked for.
     *
     * @param form     questions that a person answers in a form
     * @param url      questions that a person answers at an address
     * @param sampling completions of its model
     * @param roots    its folders
     * @param takes    the answers that the client accepts besides a result
     * @param more     what its model can be asked for beyond a plain completion
     */
    public record Capabilities(
            boolean form, boolean url, boolean sampling, boolean roots, Takes takes, SamplingExtras more) {
        public static final Capabilities NONE = new Capabilities(false, false, false, false, false);

        /** Without further sampling capabilities. */
        public Capabilities(boolean form, boolean url, boolean sampling, boolean roots, boolean tasks) {
            this(form, url, sampling, roots, tasks, SamplingExtras.NONE);
        }

        /** A client that accepts no answers in parts. */
        public Capabilities(
                boolean form, boolean url, boolean sampling, boolean roots, boolean tasks, SamplingExtras more) {
            this(form, url, sampling, roots, new Takes(tasks, false), more);
        }

        /** Whether the client accepts tasks of the newest generation. */
        public boolean tasks() {
            return takes.tasks();
        }

        /** Whether the client accepts answers in parts. */
        public boolean parts() {
            return takes.parts();
        }
    }

    /**
     * The answers to a call that a client accepts besides a result.
     *
     * @param tasks of the newest generation (declared as an extension)
     * @param parts of a result, each with a token for the next
     * @param later answers of any overlay generation: the client can call tools that give no result at once
     * @param asked methods of the questions that the client can run as tasks of its own, and the methods with which the
     *              server may cancel or delete such tasks
     */
    public record Takes(boolean tasks, boolean parts, boolean later, Set<String> asked) {
        public Takes {
            asked = Collections.unmodifiableSet(new LinkedHashSet<>(asked));
        }

        /** Without tasks of the client's own. */
        public Takes(boolean tasks, boolean parts, boolean later) {
            this(tasks, parts, later, Set.of());
        }

        /** Without overlay generations. */
        public Takes(boolean tasks, boolean parts) {
            this(tasks, parts, parts);
        }
    }

    /**
     * What a client's model can be asked for beyond a plain completion.
     *
     * @param tools   tools that the server offers, with its choice whether the model uses them
     * @param context context of this server or of others that the client includes (deprecated since 2025-11-25)
     */
    public record SamplingExtras(boolean tools, boolean context) {
        public static final SamplingExtras NONE = new SamplingExtras(false, false);
    }
}
