// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Scratch;
import java.nio.file.Path;

/** Starts a measured server. */
public interface MeasuredStart {

    /** The file of the tasks, which may exist before the start. */
    String TASKS = "tasks.db";

    /** Starts the server, which prints its address when it can be reached. */
    ChildProcess in(Scratch folder) throws Exception;

    /** Starts only the web server. */
    static ChildProcess echo() throws Exception {
        return ChildProcess.start(BenchSettings.classPath(), MeasuredServer.class, "echo");
    }

    /** Starts a gateway before a server with all tools. */
    static ChildProcess gateway(Path tasks) throws Exception {
        return ChildProcess.start(BenchSettings.classPath(), MeasuredServer.class, "gateway", tasks.toString());
    }

    static ChildProcess tools(Path tasks) throws Exception {
        return tools(BenchSettings.classPath(), tasks);
    }

    /** Starts a server with all tools, of the build with this class path. */
    static ChildProcess tools(String classPath, Path tasks) throws Exception {
        return tools(classPath, MeasuredServer.class, tasks);
    }

    /** @param main runs a {@link MeasuredServer} */
    static ChildProcess tools(String classPath, Class<?> main, Path tasks) throws Exception {
        return ChildProcess.start(classPath, main, "tools", tasks.toString());
    }
}
