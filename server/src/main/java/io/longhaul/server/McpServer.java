// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.task.Owner;

/**
 * An MCP server that serves: made by {@link #builder} and started by {@link McpServerBuilder#serve}. Thread-safe.
 *
 * <p>What it offers can change meanwhile, from a handler too. Clients that can know are told that the list has
 * changed: in sessions on a stream that they keep open, from 2026-07-28 on where they subscribe.
 */
public interface McpServer extends AutoCloseable {

    /** Starts to make a server that tells clients it is {@code name} in {@code version}. */
    static McpServerBuilder builder(String name, String version) {
        return new McpServerBuilder(name, version);
    }

    /**
     * Offers one more tool, at the end of the list. A long-running one takes up the tasks of its name that an earlier
     * process has left, by its crash policy: after a start they wait for it, a minute unless
     * {@link io.longhaul.engine.TaskLimits#offerGrace} says otherwise, and fail as interrupted where it does not come.
     *
     * @throws IllegalArgumentException where one of that name is there already
     * @throws IllegalStateException    where it is long-running and the server has no store
     */
    void addTool(Tool tool);

    /**
     * Offers a tool no longer. Calls and tasks of it that have begun go on, and its tasks can be watched, answered and
     * cancelled as ever; those that still run when the server stops need the tool again after the next start, see
     * {@link #addTool(Tool)}. False where there was none of that name.
     */
    boolean removeTool(String name);

    /** Whether a tool of that name is offered now. */
    boolean hasTool(String name);

    /**
     * Offers one more resource.
     *
     * @throws IllegalArgumentException where one of that URI is there already
     */
    void addResource(Resource resource);

    /** Offers a resource no longer. False where there was none of that URI. */
    boolean removeResource(String uri);

    /**
     * Offers more resources.
     *
     * @throws IllegalArgumentException where the same template is there already
     */
    void addResourceTemplate(ResourceTemplate template);

    /** Offers the resources of a template no longer. False where there was none like that. */
    boolean removeResourceTemplate(String uriTemplate);

    /** Tells the clients that have subscribed to a resource that what it holds has changed. */
    void notifyResourceUpdated(String uri);

    /**
     * Offers one more prompt.
     *
     * @throws IllegalArgumentException where one of that name is there already
     */
    void addPrompt(Prompt prompt);

    /** Offers a prompt no longer. False where there was none of that name. */
    boolean removePrompt(String name);

    /**
     * Says that what a person was to do at an address ({@link ElicitUrlRequest}) is done. A client of 2025-11-25 that
     * was sent there and keeps a stream open is notified. A client of 2026-07-28 calls again without that.
     */
    void notifyElicitationComplete(String elicitationId);

    /**
     * Tells each other server that shares the store and lives ({@link McpServerBuilder#onToldByNode}), within a quarter
     * of a second as a rule. It is a hint: what is told while the store fails, or to a server that dies, is lost.
     */
    void tellOtherNodes(String text);

    /** The tasks of all owners, for the application's own pages: to list, start, watch, answer, cancel and delete. */
    ServerTasks tasks();

    /** The same for the tasks of one owner. */
    ServerTasks tasks(Owner owner);

    /**
     * Whether the server can take work: it is not closing, and its store takes writes, which one small write shows.
     * For an orchestrator that asks every few seconds; the answer may be a second old. Returns within two seconds.
     */
    Readiness readiness();

    /** What the server has to do at this moment. It takes a look at each live task: for a reading every few seconds. */
    ServerStatistics statistics();

    /** Blocks until every transport has ended: stdio at the end of its input, HTTP when the server is closed. */
    void awaitEnd() throws InterruptedException;

    /**
     * Stops: open streams end, running tasks are handed back so that the next start takes them up again, and the store
     * is closed. Doing it twice does nothing more.
     */
    @Override
    void close();
}
