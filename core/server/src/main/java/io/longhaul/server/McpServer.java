// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.Owner;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A running MCP server: {@link #builder} defines the server, and {@link McpServerBuilder#serve} starts it. Thread-safe.
 *
 * <p>The tools, resources and prompts of a running server can change, from a handler too. Clients are notified of a
 * changed list: in sessions on a stream that the client keeps open, from 2026-07-28 on by a subscription.
 */
public interface McpServer extends AutoCloseable {

    /** Starts the definition of a server, with the name and version that its clients see. */
    static McpServerBuilder builder(String name, String version) {
        return new McpServerBuilder(name, version);
    }

    /**
     * Adds a tool at the end of the list. A long-running tool takes up the tasks of its name that an earlier process
     * has left, by its crash policy. After a start such tasks wait for their tool, by default for a minute
     * ({@link io.longhaul.engine.TaskLimits#offerGrace}), and then fail as interrupted.
     *
     * @throws IllegalArgumentException where the server has a tool of that name
     * @throws IllegalStateException    where the tool is long-running and the server has no store
     */
    void addTool(Tool tool);

    /**
     * Removes a tool from the list. Its calls and tasks that have begun go on, and its tasks can still be watched,
     * answered and cancelled. Tasks that run when the server stops need the tool again after the next start, see
     * {@link #addTool(Tool)}. False where there was no tool of that name.
     */
    boolean removeTool(String name);

    /**
     * Puts a tool in the place of the tool of its name, or {@linkplain #addTool adds} it where there is none. A caller
     * finds one of the two at any time. Calls and attempts of tasks that have begun go on as they were; a task that
     * begins another attempt, such as after an answer that it had been suspended for, begins the new tool.
     *
     * @throws IllegalStateException where the tool is long-running and the server has no store
     */
    void replaceTool(Tool tool);

    /**
     * {@linkplain #replaceTool Replaces} or adds some tools and {@linkplain #removeTool removes} others in one step, of
     * which clients are told once.
     *
     * @throws IllegalArgumentException where a tool does not fit the limits of the server or the other tools; then
     *     nothing changes
     * @throws IllegalStateException    where a tool is long-running and the server has no store
     */
    void changeTools(List<Tool> put, Set<String> gone);

    /** Whether the server offers a tool of that name now. */
    boolean hasTool(String name);

    /**
     * Adds a resource.
     *
     * @throws IllegalArgumentException where the server has a resource of that URI
     */
    void addResource(Resource resource);

    /** Puts a resource in the place of the resource of its URI, or adds it where there is none. */
    void replaceResource(Resource resource);

    /** Removes a resource. False where there was no resource of that URI. */
    boolean removeResource(String uri);

    /**
     * Adds the resources of a template.
     *
     * @throws IllegalArgumentException where the server has the same template
     */
    void addResourceTemplate(ResourceTemplate template);

    /** Puts the resources of a template in the place of those of the same template, or adds them. */
    void replaceResourceTemplate(ResourceTemplate template);

    /** Removes the resources of a template. False where there was no such template. */
    boolean removeResourceTemplate(String uriTemplate);

    /** Notifies the clients that have subscribed to a resource that its contents have changed. */
    void notifyResourceUpdated(String uri);

    /**
     * Adds a prompt.
     *
     * @throws IllegalArgumentException where the server has a prompt of that name
     */
    void addPrompt(Prompt prompt);

    /** Puts a prompt in the place of the prompt of its name, or adds it where there is none. */
    void replacePrompt(Prompt prompt);

    /** Removes a prompt. False where there was no prompt of that name. */
    boolean removePrompt(String name);

    /**
     * Reports that the person has done what an {@link ElicitUrlRequest} asked for. A client of 2025-11-25 that got this
     * request and keeps a stream open is notified. A client of 2026-07-28 calls again without a notification.
     */
    void notifyElicitationComplete(String elicitationId);

    /**
     * Changes the limits for tasks, as far as {@link io.longhaul.engine.TaskEngine#limits(TaskLimits)} does, and for
     * the requests of each caller.
     */
    void limits(TaskLimits tasks, Rates requests);

    /**
     * Sends a text to every other running server of the same store ({@link McpServerBuilder#onToldByNode}), usually
     * within a quarter of a second. The text is only a hint: a text is lost while the store fails, or where its
     * receiver dies.
     */
    void tellOtherNodes(String text);

    /**
     * Operations on the tasks of all owners, for the application itself: to list, start, watch, answer, cancel and
     * delete.
     */
    ServerTasks tasks();

    /** The operations of {@link #tasks()} on the tasks of one owner. */
    ServerTasks tasks(Owner owner);

    /**
     * Whether the server can take work: it is not closing, and its store accepts writes, which a small write proves.
     * Meant for an orchestrator that asks every few seconds; the answer may be a second old. Returns within two
     * seconds.
     */
    Readiness readiness();

    /**
     * Counts of tasks, sessions and connections at this moment. A call looks at each live task: make one every few
     * seconds at most.
     */
    ServerStatistics statistics();

    /** Has {@link #statistics} tell of the servers behind this one. */
    void countUpstreams(Supplier<List<UpstreamStatistics>> upstreams);

    /** Blocks until every transport has ended: stdio at the end of its input, HTTP when the server is closed. */
    void awaitEnd() throws InterruptedException;

    /**
     * Announces the end of the server: {@link #readiness} is not ready from now on, so that a balancer sends requests
     * elsewhere. The server goes on serving until {@link #close}.
     */
    void retire();

    /**
     * Stops the server: new requests are refused, quick calls and the work of tasks may end within the grace
     * ({@link io.longhaul.engine.TaskLimits#handBackGrace}), open streams end, running tasks are handed back so that
     * the next start takes them up again, and the store is closed. A second call does nothing.
     */
    @Override
    void close();
}
