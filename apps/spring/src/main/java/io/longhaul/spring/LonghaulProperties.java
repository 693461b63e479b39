// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties with the prefix {@code longhaul}. Immutable.
 *
 * @param enabled      whether there is a server
 * @param server      how the server presents itself to clients
 * @param store        where tasks and sessions are kept
 * @param http         how the server is reached
 * @param console      pages for a browser
 * @param longRunning the names of tools of Spring AI and of the official SDK whose calls are durable tasks
 */
@ConfigurationProperties("longhaul")
public record LonghaulProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Self server,
        @DefaultValue Storage store,
        @DefaultValue Endpoint http,
        @DefaultValue Pages console,
        @DefaultValue List<String> longRunning) {

    /**
     * How the server presents itself to clients.
     *
     * @param name         its name; null for the name of the application
     * @param version      its version
     * @param instructions what models are told about the server as a whole; null for nothing
     */
    public record Self(
            @Nullable String name,
            @DefaultValue("1.0") String version,
            @Nullable String instructions) {}

    /**
     * Where tasks and sessions are kept, if the application has no {@code TaskStore} bean.
     *
     * @param dataSource the name of the {@code DataSource} bean of a PostgreSQL database; null for a file
     * @param path       the file, created if it does not exist
     * @param dataKeys   a file with the keys that encrypt the stored data; null for no encryption
     * @param node       the name of this process among those that share the database, the same after restarts; null for
     *                   a new name at each start
     */
    public record Storage(
            @Nullable String dataSource,
            @DefaultValue("longhaul.db") Path path,
            @Nullable Path dataKeys,
            @Nullable String node) {}

    /**
     * How the server is reached.
     *
     * @param path           the path, below that of the application
     * @param allowedHosts   the host names by which clients reach the server
     * @param allowedOrigins the origins of pages that may call the server
     * @param callerHeaders  the names of the request headers that handlers see
     * @param keepAlive      how often an idle stream gets a comment
     * @param authenticated  whether only callers who are logged in are served; null for true with Spring Security and
     *                       false without
     */
    public record Endpoint(
            @DefaultValue("/mcp") String path,
            @DefaultValue List<String> allowedHosts,
            @DefaultValue List<String> allowedOrigins,
            @DefaultValue List<String> callerHeaders,
            @DefaultValue("15s") Duration keepAlive,
            @Nullable Boolean authenticated) {}

    /**
     * The console: pages on which a person sees and operates tasks in a browser.
     *
     * @param enabled whether the pages are served
     * @param path    the path, below that of the application
     */
    public record Pages(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/console") String path) {}
}
