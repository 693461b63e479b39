// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision.Capability;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * In place of {@code @Test}: runs the test for a client of every generation that the client speaks. {@link TestClient}
 * parameters are of that generation, and a {@link Generation} parameter names it. Needs a {@link LonghaulExtension} for
 * clients.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(EveryGenerationProvider.class)
public @interface EveryGeneration {

    /** What the clients must be able to say, such as answers to questions; every generation where nothing is named. */
    Capability[] that() default {};
}
