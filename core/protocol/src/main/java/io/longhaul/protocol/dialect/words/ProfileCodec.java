// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.SamplingExtras;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.Params;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The description of a client, for both sides, and the capabilities that a request lacks. */
public final class ProfileCodec {

    /** The capabilities that declare tasks and the draft of {@code tools/async}. */
    private static final Set<String> LATER = Set.of("tasks", "async");

    private static final List<String> AS_TASKS = List.of("elicitation/create", "sampling/createMessage");

    private static final List<String> VERBS = List.of("cancel", "delete");

    private ProfileCodec() {}

    /** Reads a client that opens a session. */
    public static ClientProfile ofSession(String version, Params params) {
        return profile(version, capabilities(params.inner("capabilities"), false), params.optionalObject("clientInfo"));
    }

    /** Reads a client that describes itself on each request. */
    public static ClientProfile onRequest(String version, Params meta, KnownCapabilities known) {
        var capabilities = known.of(meta.object(Meta.CLIENT_CAPABILITIES));
        return profile(version, capabilities, meta.optionalObject(Meta.CLIENT_INFO));
    }

    private static ClientProfile profile(String version, Capabilities capabilities, @Nullable Json info) {
        return new ClientProfile(version, capabilities, info == null ? Json.EMPTY_OBJECT : info);
    }

    /** The capabilities in a JSON object that a request carries. */
    static Capabilities onRequest(Json declared) {
        return capabilities(Params.of("params._meta[\"" + Meta.CLIENT_CAPABILITIES + "\"]", declared), true);
    }

    /** The capabilities of a client in a revision. */
    public static ObjectNode capabilities(Capabilities can, Revision revision) {
        var node = JsonTree.object();
        boolean modes = revision.has(Capability.ELICITATION_MODES);
        if (revision.has(Capability.ELICITATION) && (can.form() || (can.url() && modes))) {
            elicitation(node, can, modes);
        }
        flag(node, "sampling", can.sampling());
        if (can.roots()) {
            var roots = node.putObject("roots");
            if (revision.has(Capability.ROOTS_CHANGES)) {
                roots.put("listChanged", true);
            }
        }
        return node;
    }

    /** The capabilities in the form in which a client must declare them on a request. */
    public static Json required(Capabilities missing) {
        var node = JsonTree.object();
        if (missing.form() || missing.url()) {
            elicitation(node, missing, true);
        }
        var more = missing.more();
        if (missing.sampling() || !more.equals(SamplingExtras.NONE)) {
            var sampling = node.putObject("sampling");
            flag(sampling, "tools", more.tools());
            flag(sampling, "context", more.context());
        }
        flag(node, "roots", missing.roots());
        if (missing.tasks()) {
            node.putObject("extensions").putObject(Meta.TASKS_EXTENSION);
        }
        return JsonTree.write(node);
    }

    private static void elicitation(ObjectNode node, Capabilities can, boolean modes) {
        var elicitation = node.putObject("elicitation");
        flag(elicitation, "form", modes && can.form());
        flag(elicitation, "url", modes && can.url());
    }

    /**
     * Adds to the capabilities of a client the questions that it can run as tasks.
     *
     * @param verbs what a server can do with the tasks besides reading them
     */
    public static void hostingTasks(ObjectNode capabilities, Capabilities can, List<String> verbs) {
        var tasks = capabilities.putObject("tasks");
        verbs.forEach(tasks::putObject);
        var requests = tasks.putObject("requests");
        if (can.form() || can.url()) {
            requests.putObject("elicitation").putObject("create");
        }
        if (can.sampling()) {
            requests.putObject("sampling").putObject("createMessage");
        }
    }

    /**
     * An elicitation capability that names no mode means forms.
     *
     * @param extensions whether extensions count; they count only where they are declared on each request
     */
    private static Capabilities capabilities(Params declared, boolean extensions) {
        var elicitation = declared.inner("elicitation");
        var url = isObject(elicitation, "url");
        var sampling = declared.inner("sampling");
        return new Capabilities(
                declared.has("elicitation") && (isObject(elicitation, "form") || !url),
                url,
                isObject(declared, "sampling"),
                isObject(declared, "roots"),
                new Takes(
                        extensions && isObject(declared.inner("extensions"), Meta.TASKS_EXTENSION),
                        isExperimental(declared, Meta.RESUME_TOKENS),
                        !extensions && takesLater(declared),
                        extensions ? Set.of() : asked(declared)),
                new SamplingExtras(isObject(sampling, "tools"), isObject(sampling, "context")));
    }

    /**
     * Whether the client accepts answers of an overlay generation. Some of these define no capability of clients, so
     * that the capability of their servers counts as well.
     */
    private static boolean takesLater(Params declared) {
        return isExperimental(declared, Meta.RESUME_TOKENS)
                || LATER.stream().anyMatch(name -> declared.has(name) || isExperimental(declared, name));
    }

    /** The questions that a client can run as tasks of its own, and the methods that it allows on these tasks. */
    private static Set<String> asked(Params declared) {
        var tasks = declared.members().object("tasks");
        var requests = tasks.object("requests");
        Set<String> methods = new LinkedHashSet<>();
        for (String method : AS_TASKS) {
            String[] names = method.split("/", -1);
            if (isDeclared(requests.object(names[0]).get(names[1]))) {
                methods.add(method);
            }
        }
        for (String verb : methods.isEmpty() ? List.<String>of() : VERBS) {
            if (isDeclared(tasks.get(verb))) {
                methods.add("tasks/" + verb);
            }
        }
        return methods;
    }

    private static boolean isDeclared(@Nullable Json value) {
        return value != null && !value.toString().equals("false");
    }

    /**
     * Whether an experimental capability is declared. Its value can have any form, since no specification defines it.
     */
    private static boolean isExperimental(Params declared, String name) {
        var value = declared.members().object("experimental").get(name);
        return value != null && value.kind() == Json.Kind.OBJECT;
    }

    private static boolean isObject(Params params, String name) {
        return params.optionalObject(name) != null;
    }

    private static void flag(ObjectNode into, String name, boolean declared) {
        if (declared) {
            into.putObject(name);
        }
    }
}
