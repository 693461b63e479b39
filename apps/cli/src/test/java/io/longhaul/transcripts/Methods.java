// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The methods of one version, as its official schema names them.
 *
 * @param version  names its files, too
 * @param asked    requests of the client
 * @param told     notifications of the client
 * @param asks     requests of the server, or questions within its results
 * @param tells    notifications of the server
 * @param left     those that no transcript has in that direction, and why
 */
record Methods(
        String version,
        Set<String> asked,
        Set<String> told,
        Set<String> asks,
        Set<String> tells,
        Map<String, String> left) {

    private static final String NO_PING = "a transport finds out by itself that its client has left";
    private static final String NO_TASKS = "the server makes no tasks at its client";
    private static final Set<String> REQUESTS = Set.of(
            "initialize",
            "ping",
            "tools/list",
            "tools/call",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "resources/subscribe",
            "resources/unsubscribe",
            "prompts/list",
            "prompts/get",
            "completion/complete",
            "logging/setLevel");
    private static final Set<String> CLIENT_NOTIFICATIONS = Set.of(
            "notifications/initialized",
            "notifications/cancelled",
            "notifications/progress",
            "notifications/roots/list_changed");
    private static final Set<String> SERVER_NOTIFICATIONS = Set.of(
            "notifications/cancelled",
            "notifications/progress",
            "notifications/message",
            "notifications/resources/updated",
            "notifications/resources/list_changed",
            "notifications/tools/list_changed",
            "notifications/prompts/list_changed");
    private static final Set<String> TASKS = Set.of("tasks/get", "tasks/result", "tasks/list", "tasks/cancel");

    static List<Methods> all() {
        return List.of(
                handshake("2024-11-05", Set.of("ping", "sampling/createMessage", "roots/list")),
                handshake("2025-03-26", Set.of("ping", "sampling/createMessage", "roots/list")),
                handshake("2025-06-18", Set.of("ping", "sampling/createMessage", "roots/list", "elicitation/create")),
                operations(),
                handshakeWithTasks(),
                requestorTasks(),
                toolsAsync(),
                resumeTokens(),
                statelessResumeTokens(),
                stateless());
    }

    private static Methods handshake(String version, Set<String> asks) {
        return new Methods(
                version, REQUESTS, CLIENT_NOTIFICATIONS, asks, SERVER_NOTIFICATIONS, Map.of("< ping", NO_PING));
    }

    /** What SEP-1391 adds to 2025-06-18. */
    private static Methods operations() {
        return new Methods(
                "next",
                and(REQUESTS, Set.of("tools/async/status", "tools/async/result")),
                CLIENT_NOTIFICATIONS,
                Set.of("ping", "sampling/createMessage", "roots/list", "elicitation/create"),
                SERVER_NOTIFICATIONS,
                Map.of("< ping", NO_PING));
    }

    private static Methods handshakeWithTasks() {
        return new Methods(
                "2025-11-25",
                and(REQUESTS, TASKS),
                and(CLIENT_NOTIFICATIONS, Set.of("notifications/tasks/status")),
                and(TASKS, Set.of("ping", "sampling/createMessage", "roots/list", "elicitation/create")),
                and(SERVER_NOTIFICATIONS, Set.of("notifications/elicitation/complete", "notifications/tasks/status")),
                Map.of(
                        "< ping", NO_PING,
                        "< tasks/get", NO_TASKS,
                        "< tasks/result", NO_TASKS,
                        "< tasks/list", NO_TASKS,
                        "< tasks/cancel", NO_TASKS));
    }

    /** SEP-1686, where it says more than its sessions do. */
    private static Methods requestorTasks() {
        return new Methods(
                "2025-06-18-sep-1686",
                Set.of(
                        "tools/call",
                        "resources/read",
                        "prompts/get",
                        "tasks/get",
                        "tasks/result",
                        "tasks/list",
                        "tasks/delete"),
                Set.of("notifications/cancelled"),
                Set.of("elicitation/create", "sampling/createMessage"),
                Set.of("notifications/tasks/created", "notifications/progress"),
                Map.of());
    }

    /** It has no methods of its own: calls go on by a token, and all else is as in the version of its session. */
    private static Methods resumeTokens() {
        return new Methods(
                "2025-06-18-sep-1003",
                Set.of("initialize", "tools/call"),
                Set.of("notifications/initialized", "notifications/cancelled"),
                Set.of("elicitation/create"),
                Set.of("notifications/progress"),
                Map.of());
    }

    /** The same where every request stands alone: what is asked comes as a result. */
    private static Methods statelessResumeTokens() {
        return new Methods(
                "2026-07-28-sep-1003",
                Set.of("server/discover", "tools/call"),
                Set.of("notifications/cancelled"),
                Set.of("elicitation/create"),
                Set.of("notifications/progress"),
                Map.of());
    }

    /** The draft of asynchronous calls, where it says more than its sessions do. */
    private static Methods toolsAsync() {
        return new Methods(
                "2025-06-18-tools-async",
                Set.of("tools/async/call", "tools/async/get", "tools/async/join", "resources/read"),
                Set.of("tools/async/cancel"),
                Set.of("elicitation/create"),
                Set.of("notifications/cancelled", "notifications/progress"),
                Map.of());
    }

    /** With the extension for tasks. */
    private static Methods stateless() {
        return new Methods(
                "2026-07-28",
                Set.of(
                        "server/discover",
                        "tools/list",
                        "tools/call",
                        "resources/list",
                        "resources/templates/list",
                        "resources/read",
                        "prompts/list",
                        "prompts/get",
                        "completion/complete",
                        "subscriptions/listen",
                        "tasks/get",
                        "tasks/update",
                        "tasks/cancel"),
                Set.of("notifications/cancelled"),
                Set.of("sampling/createMessage", "roots/list", "elicitation/create"),
                and(SERVER_NOTIFICATIONS, Set.of("notifications/subscriptions/acknowledged", "notifications/tasks")),
                Map.of());
    }

    private static Set<String> and(Set<String> some, Set<String> more) {
        return Stream.concat(some.stream(), more.stream()).collect(Collectors.toUnmodifiableSet());
    }
}
