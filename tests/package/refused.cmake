# Configures the consumer where the libraries below the runtime cannot be found, and expects the package's own sentence.
file(REMOVE_RECURSE ${BINARY})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G Ninja -DCMAKE_PREFIX_PATH=${GLASS} ${OPTIONS}
  RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
string(REGEX REPLACE "[ \n]+" " " said "${out}${err}")
if(result EQUAL 0 OR NOT said MATCHES "glass::jit needs these libraries, which were not found: sqlite3;sodium;spdlog;fmt")
  message(FATAL_ERROR "expected a refusal that names the libraries, got ${result}:\n${out}${err}")
endif()
