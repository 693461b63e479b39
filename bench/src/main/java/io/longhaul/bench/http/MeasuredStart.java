// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Scratch;
import io.longhaul.bench.run.Settings;
import java.nio.file.Path;

/** How a server that is measured comes up. */
public interface MeasuredStart {

    /** The file of the tasks, in a folder that may hold one before the start. */
    String TASKS = "tasks.db";

    /** Starts it; it prints its address when it can be reached. */
    ChildProcess in(Scratch folder) throws Exception;

    /** The web server alone. */
    static ChildProcess echo() throws Exception {
        return ChildProcess.start(Settings.classPath(), MeasuredServer.class, "echo");
    }

    /** A server with all tools, of this build. */
    static ChildProcess tools(Path tasks) throws Exception {
        return tools(Settings.classPath(), tasks);
    }

    /** A server with all tools, of the build with this class path. */
    static ChildProcess tools(String classPath, Path tasks) throws Exception {
        return tools(classPath, MeasuredServer.class, tasks);
    }

    /** @param main runs a {@link MeasuredServer} */
    static ChildProcess tools(String classPath, Class<?> main, Path tasks) throws Exception {
        return ChildProcess.start(classPath, main, "tools", tasks.toString());
    }
}
