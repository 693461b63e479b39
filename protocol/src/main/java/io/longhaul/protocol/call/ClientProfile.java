// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a client says of itself, per session or per request.
 *
 * @param version      the protocol version it speaks, as it spelled it
 * @param capabilities what it can do
 * @param info         its name and version as it gave them; for logs only, never trusted
 * @param extensions   further ones that a client of ours declares, such as for authorization; not read from others
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
     * @param takes    what else than a result it takes for an answer
     * @param more     what its model can be asked for beyond a plain completion
     */
    public record Capabilities(
            boolean form, boolean url, boolean sampling, boolean roots, Takes takes, SamplingExtras more) {
        public static final Capabilities NONE = new Capabilities(false, false, false, false, false);

        /** Plain completions at most. */
        public Capabilities(boolean form, boolean url, boolean sampling, boolean roots, boolean tasks) {
            this(form, url, sampling, roots, tasks, SamplingExtras.NONE);
        }

        /** No answers in parts. */
        public Capabilities(
                boolean form, boolean url, boolean sampling, boolean roots, boolean tasks, SamplingExtras more) {
            this(form, url, sampling, roots, new Takes(tasks, false), more);
        }

        /** Whether it takes tasks of the newest generation. */
        public boolean tasks() {
            return takes.tasks();
        }

        /** Whether it takes answers part by part. */
        public boolean parts() {
            return takes.parts();
        }
    }

    /**
     * What a client takes for the answer to a call besides a result.
     *
     * @param tasks of the newest generation (declared as an extension)
     * @param parts of a result, each with a token for the next
     * @param later whatever a generation gives that rides on the sessions of others: it can call tools that have no
     *              result at once
     * @param asked methods of the questions that it runs as tasks of its own where the server wants it, and those with
     *              which it lets the server cancel or delete these
     */
    public record Takes(boolean tasks, boolean parts, boolean later, Set<String> asked) {
        public Takes {
            asked = Collections.unmodifiableSet(new LinkedHashSet<>(asked));
        }

        /** No tasks of its own. */
        public Takes(boolean tasks, boolean parts, boolean later) {
            this(tasks, parts, later, Set.of());
        }

        /** In no other generation. */
        public Takes(boolean tasks, boolean parts) {
            this(tasks, parts, parts);
        }
    }

    /**
     * What a client's model can be asked for beyond a plain completion.
     *
     * @param tools   tools that the server brings, and says whether to use
     * @param context what the client knows of this server or of others (deprecated since 2025-11-25)
     */
    public record SamplingExtras(boolean tools, boolean context) {
        public static final SamplingExtras NONE = new SamplingExtras(false, false);
    }
}
