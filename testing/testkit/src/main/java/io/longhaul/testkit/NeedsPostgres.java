// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests that start a PostgreSQL. The build has its binary for Linux on x86-64 alone; on another system one line says so
 * and the tests are skipped.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsPostgres.Condition.class)
public @interface NeedsPostgres {

    /** Decides by the properties of this JVM. */
    final class Condition implements ExecutionCondition {
        private static final AtomicBoolean TOLD = new AtomicBoolean();

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return result(System.getProperty("os.name"), System.getProperty("os.arch"));
        }

        static ConditionEvaluationResult result(String system, String architecture) {
            if (system.equals("Linux") && architecture.equals("amd64")) {
                return ConditionEvaluationResult.enabled("there is a PostgreSQL");
            }
            var why = "no PostgreSQL for " + system + " on " + architecture + ", its store is not tested: "
                    + "run the tests on Linux on x86-64";
            if (!TOLD.getAndSet(true)) {
                System.err.println("postgresql: " + why);
            }
            return ConditionEvaluationResult.disabled(why);
        }
    }
}
