// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * One revision of the protocol, with its capabilities. Code that serves several revisions asks for a capability, and
 * never compares revisions: a new revision is one more line here.
 *
 * @param version      the version as messages spell it
 * @param capabilities the features of the revision
 */
public record Revision(String version, Set<Capability> capabilities) {

    /** A feature that some revisions have and others lack. */
    public enum Capability {
        /** A notification that the folders of a client have changed. */
        ROOTS_CHANGES,
        /** Annotations of tools. */
        TOOL_ANNOTATIONS,
        /** Sound as content. */
        AUDIO,
        /** A capability of servers that complete arguments. */
        COMPLETIONS,
        /** Several messages in one array: "MUST support receiving JSON-RPC batches". */
        BATCHES,
        /** Titles beside names, and {@code _meta} in definitions. */
        TITLES,
        /** Links to resources as content. */
        RESOURCE_LINKS,
        /** Structured results that are objects, and their schemas. */
        STRUCTURED_RESULTS,
        /** Structured results of any JSON type. */
        ANY_STRUCTURED_RESULTS,
        /** The version in a header of every request over HTTP. */
        VERSION_HEADER,
        /** Questions that a person answers in a form. */
        ELICITATION,
        /**
         * Questions with a mode, forms with titled choices and multiple choice, and several items in a message to a
         * model.
         */
        ELICITATION_MODES,
        /** Ids of questions that a person answers at an address. */
        ELICITATION_IDS,
        /** Icons, and a description and an address of a server. */
        ICONS,
        /** Streams that a server closes before their end, and a client resumes. */
        POLLED_STREAMS,
        /** Wrong arguments of a tool as a result that the model sees. */
        ARGUMENT_ERRORS_IN_RESULTS,
        /** Tasks in the core of the protocol, under the methods {@code tasks/…}. */
        CORE_TASKS
    }

    static final Revision V2024_11_05 = new Revision("2024-11-05", Set.of(Capability.ROOTS_CHANGES));
    static final Revision V2025_03_26 = V2024_11_05.next(
            "2025-03-26", Capability.TOOL_ANNOTATIONS, Capability.AUDIO, Capability.COMPLETIONS, Capability.BATCHES);
    static final Revision V2025_06_18 = V2025_03_26
            .without(Capability.BATCHES)
            .next(
                    "2025-06-18",
                    Capability.TITLES,
                    Capability.RESOURCE_LINKS,
                    Capability.STRUCTURED_RESULTS,
                    Capability.VERSION_HEADER,
                    Capability.ELICITATION);
    static final Revision V2025_11_25 = V2025_06_18.next(
            "2025-11-25",
            Capability.ELICITATION_MODES,
            Capability.ELICITATION_IDS,
            Capability.ICONS,
            Capability.POLLED_STREAMS,
            Capability.ARGUMENT_ERRORS_IN_RESULTS,
            Capability.CORE_TASKS);
    static final Revision V2026_07_28 = V2025_11_25
            .without(
                    Capability.ROOTS_CHANGES,
                    Capability.ELICITATION_IDS,
                    Capability.POLLED_STREAMS,
                    Capability.CORE_TASKS)
            .next("2026-07-28", Capability.ANY_STRUCTURED_RESULTS);

    public Revision {
        var copy = EnumSet.noneOf(Capability.class);
        copy.addAll(capabilities);
        capabilities = Collections.unmodifiableSet(copy);
    }

    /** Whether the revision has the capability. */
    public boolean has(Capability capability) {
        return capabilities.contains(capability);
    }

    /** The revision after this one, with more capabilities. */
    Revision next(String name, Capability... more) {
        var all = EnumSet.noneOf(Capability.class);
        all.addAll(capabilities);
        all.addAll(Set.of(more));
        return new Revision(name, all);
    }

    private Revision without(Capability... gone) {
        var rest = EnumSet.noneOf(Capability.class);
        rest.addAll(capabilities);
        rest.removeAll(Set.of(gone));
        return new Revision(version, rest);
    }
}
